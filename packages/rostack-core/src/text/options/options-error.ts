import { defineError } from '../define-error.ts';
import type { OptionCheck } from './option-check.ts';

/** A function was called with options that it cannot use. */
export class OptionsError extends defineError('OptionsError', 'invalid_options', false) {
  /** At least one sentence: which option, what it is, and what to use. */
  readonly faults: readonly string[];

  /** @param what starts the message, such as "The gateway cannot start" */
  constructor(what: string, faults: readonly string[]) {
    super(`${what}: ${faults.join(' ')}`);
    this.faults = faults;
  }
}

/**
 * Refuses options that a check does not accept.
 * @param what starts the message, such as "The gateway cannot start"
 * @param name the name, in the message, of what is checked
 * @throws OptionsError `invalid_options`
 */
export function checkOptions(check: OptionCheck, value: unknown, what: string, name = 'options'): void {
  const fault = check(value, name);
  if (fault !== undefined) throw new OptionsError(what, [`${fault}.`]);
}
