import type { Mutant } from '../../mutant.ts';

/** A fault of the gateway. */
export interface GatewayMutant extends Mutant {
  /** The checks that are run. */
  readonly checks: readonly string[];
  /** What is left of each deadline, so that what never comes is not waited for. @default 1 */
  readonly patience?: number;
}
