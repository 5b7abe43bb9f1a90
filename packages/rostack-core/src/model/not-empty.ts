import { z } from 'zod';

const hasLength = ({ value }: { readonly value: unknown }): boolean =>
  typeof value === 'string' || Array.isArray(value);

/**
 * A text or a list that holds something. Zod's own length check also looks at objects that have a member `length`, and
 * throws a TypeError when that member cannot be compared: `when` keeps it to texts and lists.
 */
export function notEmpty(message: string) {
  const check = z.minLength(1, message);
  check._zod.def.when = hasLength;
  return check;
}
