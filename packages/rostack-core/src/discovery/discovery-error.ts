import type { Fault } from '../model/fault.ts';
import { FaultsError } from '../model/faults-error.ts';

/** A value that was to be a discovery document is none. */
export class DiscoveryError extends FaultsError {
  override readonly name = 'DiscoveryError';
  readonly code = 'invalid_discovery';

  constructor(faults: readonly Fault[]) {
    super('not a discovery document', faults);
  }
}
