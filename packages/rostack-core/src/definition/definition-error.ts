import type { Fault } from '../model/fault.ts';
import { FaultsError } from '../model/faults-error.ts';

/** A declaration cannot become an implementation; each `path` of its faults is a JSON Pointer into the declaration. */
export class DefinitionError extends FaultsError {
  override readonly name = 'DefinitionError';
  readonly code = 'invalid_definition';

  constructor(faults: readonly Fault[]) {
    super('the implementation cannot be defined', faults);
  }
}
