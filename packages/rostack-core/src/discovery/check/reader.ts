// The checks also run on documents that break the schema, so that all faults are told at once:
// they read what is there and leave the rest to the schema.

/** The value at the end of a way of own members; undefined where the way ends early. */
export function read(value: unknown, ...names: readonly string[]): unknown {
  let here = value;
  for (const name of names) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, name)) return undefined;
    here = (here as Readonly<Record<string, unknown>>)[name];
  }
  return here;
}

/** The items of an array with their indexes; none of anything else. */
export function readItems(value: unknown, ...names: readonly string[]): [index: number, item: unknown][] {
  const items = read(value, ...names);
  return Array.isArray(items) ? [...items.entries()] : [];
}

/** The own members of an object; none of anything else. */
export function readMembers(value: unknown, ...names: readonly string[]): [name: string, member: unknown][] {
  const members = read(value, ...names);
  return typeof members === 'object' && members !== null && !Array.isArray(members)
    ? Object.entries(members)
    : [];
}
