import type { JsonObject, JsonValue } from '../json.ts';
import { resolveToken } from '../pointer/resolve-pointer.ts';

/** How to read one token of a path. */
export interface MemberRead {
  readonly name: string;
  /** Which of the look-ups in `readPlain` serves this name, or -1 where an own-property check is needed. */
  readonly place: number;
}

/** A name that neither arrays nor objects inherit can be read without asking whether the record owns it. */
export function memberRead(token: string): MemberRead {
  // Property names are unique texts in an engine; one cut out of a pointer would be looked up anew at every read.
  const [name = token] = Object.keys({ [token]: true });
  return { name, place: name in Array.prototype ? -1 : placeOf(name) };
}

/** The value at the end of a path, own members and array elements only, or undefined. */
export function readPath(record: JsonValue, path: readonly MemberRead[]): JsonValue | undefined {
  let value: JsonValue | undefined = record;
  for (const { name, place } of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = place < 0 ? resolveToken(value, name) : readPlain(value as JsonObject, name, place);
  }
  return value;
}

const PLACES = 24;
const places = new Map<string, number>();

/** The first names that filters use get a place each, all later ones share the last: it changes the speed alone. */
function placeOf(name: string): number {
  const known = places.get(name);
  if (known !== undefined) return known;
  if (places.size === PLACES - 1) return PLACES - 1;
  places.set(name, places.size);
  return places.size - 1;
}

// An engine remembers one name for each place in the code that reads `record[name]`, and is five times slower at
// a place that sees many names.
export function readPlain(record: JsonObject, name: string, place: number): JsonValue | undefined {
  switch (place) {
    case 0:
      return record[name];
    case 1:
      return record[name];
    case 2:
      return record[name];
    case 3:
      return record[name];
    case 4:
      return record[name];
    case 5:
      return record[name];
    case 6:
      return record[name];
    case 7:
      return record[name];
    case 8:
      return record[name];
    case 9:
      return record[name];
    case 10:
      return record[name];
    case 11:
      return record[name];
    case 12:
      return record[name];
    case 13:
      return record[name];
    case 14:
      return record[name];
    case 15:
      return record[name];
    case 16:
      return record[name];
    case 17:
      return record[name];
    case 18:
      return record[name];
    case 19:
      return record[name];
    case 20:
      return record[name];
    case 21:
      return record[name];
    case 22:
      return record[name];
    default:
      return record[name];
  }
}
