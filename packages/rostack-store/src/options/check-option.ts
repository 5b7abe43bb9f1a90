import type { OptionCheck } from 'rostack-core';
import { StoreOptionsError } from '../errors/index.ts';

/** Refuses a value that an option cannot have. @throws StoreOptionsError `store_options_invalid` naming the option */
export function checkOption(check: OptionCheck, value: unknown, name = 'options'): void {
  const fault = check(value, name);
  if (fault !== undefined) throw new StoreOptionsError(fault);
}
