import type { Release } from '../../release/release.ts';

/** The place of a fault, as keys from the root, and a sentence fragment about it. */
export interface Finding {
  readonly keys: readonly (string | number)[];
  readonly message: string;
}

/** A rule of discovery documents that JSON Schema cannot express. */
export interface DiscoveryCheck {
  /** Stable name, in snake case. */
  readonly name: string;
  /** The rule as a sentence. */
  readonly rule: string;
  /** Releases it belongs to. */
  readonly releases: readonly Release[];
  readonly find: (document: unknown) => Iterable<Finding>;
}

// The checks also run on documents that break the schema, so that all faults are reported at once: they read what is
// there and leave the rest to the schema.

/** The value at a path of own members; undefined if there is none. */
export function read(value: unknown, ...names: readonly string[]): unknown {
  let here = value;
  for (const name of names) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, name)) return undefined;
    here = (here as Readonly<Record<string, unknown>>)[name];
  }
  return here;
}

/** The items of an array with their indexes; none for any other value. */
export function readItems(value: unknown, ...names: readonly string[]): [index: number, item: unknown][] {
  const items = read(value, ...names);
  return Array.isArray(items) ? [...items.entries()] : [];
}

/** The own members of an object; none for any other value. */
export function readMembers(value: unknown, ...names: readonly string[]): [name: string, member: unknown][] {
  const members = read(value, ...names);
  return typeof members === 'object' && members !== null && !Array.isArray(members)
    ? Object.entries(members)
    : [];
}

/** A finding for each item with the same string in its member `name` as an earlier item. */
export function* repeated(
  items: readonly (readonly [index: number, item: unknown])[],
  name: string,
  at: readonly (string | number)[],
): Iterable<Finding> {
  const firstIndex = new Map<string, number>();
  for (const [index, item] of items) {
    const value = read(item, name);
    if (typeof value !== 'string') continue;
    const first = firstIndex.get(value);
    if (first === undefined) firstIndex.set(value, index);
    else
      yield {
        keys: [...at, index, name],
        message: `must be unique: ${JSON.stringify(value)} is already at index ${first}`,
      };
  }
}
