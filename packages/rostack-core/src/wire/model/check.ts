import { formatPointer } from '../../query/pointer/format-pointer.ts';
import type { Release } from '../release/release.ts';
import type { Fault } from './fault.ts';
import type { Model } from './model.ts';
import { type Validation, validate } from './validate.ts';

/** The place of a fault, as keys from the root, and a sentence fragment about it. */
export interface Finding {
  /** Names of members and indices of items, from the root to the place. */
  readonly keys: readonly (string | number)[];
  /** A part of a sentence whose subject is the place, such as `is not in the permission registry`. */
  readonly message: string;
}

/** A rule that the published schema of the release does not have: JSON Schema cannot express it, or it is stricter. */
export interface Check {
  /** Stable name, in snake case. */
  readonly name: string;
  /** Releases it belongs to. */
  readonly releases: readonly Release[];
}

/** A rule that looks at several places at once. */
export interface CrossCheck extends Check {
  /** Faults of a value, which may break the schema. */
  readonly find: (value: unknown) => Iterable<Finding>;
}

/** The faults that the checks of a release find in a value. */
export function runChecks(checks: readonly CrossCheck[], value: unknown, release: Release): Fault[] {
  const faults: Fault[] = [];
  for (const { name, releases, find } of checks) {
    if (!releases.includes(release)) continue;
    for (const { keys, message } of find(value)) {
      faults.push({ check: name, path: formatPointer(keys.map(String)), message });
    }
  }
  return faults;
}

// The checks also run on documents that break the schema, so that all faults are reported at once: they read what is
// there and leave the rest to the schema.

/** Checks a value against a model, and then, if it fits, with the checks of a release. */
export function validateBeyond<T>(
  model: Model<T>,
  checks: readonly CrossCheck[],
  value: unknown,
  release: Release,
): Validation<T> {
  const result = validate(model, value);
  if (!result.ok) return result;
  const faults = runChecks(checks, result.value, release);
  return faults.length === 0 ? result : { ok: false, faults };
}

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
