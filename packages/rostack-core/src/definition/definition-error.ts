import { type Fault, summarizeFaults } from '../model/fault.ts';

/** A declaration cannot become an implementation. */
export class DefinitionError extends Error {
  override readonly name = 'DefinitionError';
  readonly code = 'invalid_definition';
  readonly retryable = false;
  /** Everything that is wrong; each `path` is a JSON Pointer into the declaration. */
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    super(`the implementation cannot be defined: ${summarizeFaults(faults)}`);
    this.faults = faults;
  }
}
