import { type Fault, summarizeFaults } from '../model/fault.ts';

/** A value that was to be a problem object is none. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly code = 'invalid_problem';
  readonly retryable = false;
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    super(`not a problem object: ${summarizeFaults(faults)}`);
    this.faults = faults;
  }
}
