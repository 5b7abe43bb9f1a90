import type { OptionCheck } from 'rostack-core';
import { UsageError } from '../error/index.ts';

/** Refuses a value that an option cannot have. @throws UsageError `invalid_options` naming the option */
export function checkUsage(check: OptionCheck, value: unknown, name = 'options'): void {
  const fault = check(value, name);
  if (fault !== undefined) throw new UsageError(fault);
}
