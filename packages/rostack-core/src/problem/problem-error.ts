import type { Fault } from '../model/fault.ts';
import { FaultsError } from '../model/faults-error.ts';

/** A value that was to be a problem object is none. */
export class ProblemError extends FaultsError {
  override readonly name = 'ProblemError';
  readonly code = 'invalid_problem';

  constructor(faults: readonly Fault[]) {
    super('not a problem object', faults);
  }
}
