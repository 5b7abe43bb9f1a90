import { anObject, type OptionCheck } from 'rostack-core';
import { StoreOptionsError } from '../../errors/index.ts';

/** Refuses a value that an option cannot have. @throws StoreOptionsError `store_options_invalid` naming the option */
export function checkOption(check: OptionCheck, value: unknown, name = 'options'): void {
  const fault = check(value, name);
  if (fault !== undefined) throw new StoreOptionsError(fault);
}

/** Checks each member of an object, whatever their names are. */
export function membersOf(check: OptionCheck): OptionCheck {
  return (value, name) =>
    anObject(value, name) ??
    Object.entries(value as object)
      .map(([member, inner]) => check(inner, `${name}[${JSON.stringify(member)}]`))
      .find((fault) => fault !== undefined);
}
