import type { Fault } from '../model/fault.ts';
import { FaultsError } from '../model/faults-error.ts';

/**
 * A text is not JSON (check `json`), an object in it has one member twice (`unique_members`), or a number in it has more digits than a
 * double keeps (`exact_numbers`). The cause of the first is the engine's SyntaxError, which may quote the text.
 */
export class StrictJsonError extends FaultsError {
  override readonly name = 'StrictJsonError';
  readonly code = 'invalid_json';
  readonly fault: Fault;

  constructor(fault: Fault, options?: ErrorOptions) {
    super('not strict JSON', [fault], options);
    this.fault = fault;
  }
}
