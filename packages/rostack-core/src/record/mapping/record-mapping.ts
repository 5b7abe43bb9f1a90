import { formatPointer } from '../../query/pointer/format-pointer.ts';
import { ARRAY_INDEX, isPointer, parsePointer, resolvePointer } from '../../query/pointer/pointer.ts';
import type { JsonObject, JsonValue } from '../../text/json.ts';
import { defineFaultsError, type Fault } from '../../wire/model/fault.ts';

/** A field of the record by JSON Pointer (empty: the whole record), or a value that is the same for every record. */
export type MappedValue = { readonly from: string } | { readonly constant: JsonValue };

/**
 * How another representation is made from a record: JSON Pointers of its values, and where each comes from. A step whose
 * names are all numbers is an array, from 0 on without gaps; any other is an object.
 */
export type RecordMapping = Readonly<Record<string, MappedValue>>;

/** A mapping makes no sense; the `path` of each fault is a JSON Pointer into the mapping. */
export class MappingError extends defineFaultsError(
  'MappingError',
  'invalid_mapping',
  'records cannot be mapped',
) {}

/** A value of the representation. */
export interface MappingLeaf {
  readonly kind: 'value';
  readonly target: string;
  readonly value: MappedValue;
}

/** An array or object of the representation. */
export interface MappingBranch {
  readonly kind: 'array' | 'object';
  readonly path: readonly string[];
  /** The first of the targets inside it, as the mapping has it. */
  readonly target: string;
  readonly children: ReadonlyMap<string, MappingLeaf | MappingBranch>;
}

interface GrowingBranch {
  readonly path: readonly string[];
  readonly target: string;
  readonly children: Map<string, MappingLeaf | GrowingBranch>;
}

export const mappingFault = (path: readonly string[], message: string): Fault => ({
  check: 'mapping',
  path: formatPointer(path),
  message,
});

/** The shape that a mapping makes, and what is wrong with the mapping under any schemas. */
export function growMapping(mapping: RecordMapping): {
  readonly root: MappingBranch;
  readonly faults: readonly Fault[];
} {
  const faults: Fault[] = [];
  const root: GrowingBranch = { path: [], target: '', children: new Map() };
  for (const [target, value] of Object.entries(mapping)) {
    if ('from' in value && !isPointer(value.from)) {
      faults.push(mappingFault([target, 'from'], 'must be a JSON Pointer, such as /name, or empty'));
    }
    const fault =
      target === '' || !isPointer(target)
        ? 'must be the JSON Pointer of a member, such as /name'
        : plant(root, target, value);
    if (fault !== undefined) faults.push(mappingFault([target], fault));
  }
  if (root.children.size === 0 && faults.length === 0) {
    faults.push(mappingFault([], 'must map at least one member'));
  }
  return { root: settle(root, faults), faults };
}

/** Adds a target to the shape, or says why it does not fit there. */
function plant(root: GrowingBranch, target: string, value: MappedValue): string | undefined {
  const path = parsePointer(target);
  const last = path.pop() ?? '';
  let here = root;
  for (const [depth, token] of path.entries()) {
    let next = here.children.get(token);
    if (next === undefined) {
      next = { path: path.slice(0, depth + 1), target, children: new Map() };
      here.children.set(token, next);
    }
    if (!('children' in next)) return `is inside ${next.target}, which is also mapped; keep one of them`;
    here = next;
  }
  const there = here.children.get(last);
  if (there !== undefined) return `contains ${there.target}, which is also mapped; keep one of them`;
  here.children.set(last, { kind: 'value', target, value });
  return undefined;
}

function settle({ path, target, children }: GrowingBranch, faults: Fault[]): MappingBranch {
  const names = [...children.keys()];
  const indexes = names.filter((name) => ARRAY_INDEX.test(name));
  const isArray = names.length > 0 && indexes.length === names.length;
  const place = formatPointer(path);
  if (isArray && path.length === 0) {
    faults.push(mappingFault([], 'must make an object; name its members, not only numbers'));
  } else if (!isArray && indexes.length > 0) {
    const message = `${place} has numbers and names for its parts; write only numbers for an array, only names for an object`;
    faults.push(mappingFault(target === '' ? [] : [target], message));
  }
  if (isArray) {
    const missing = names.findIndex((_, index) => !children.has(String(index)));
    if (missing !== -1) {
      faults.push(
        mappingFault([target], `${place}/${missing} is missing; add every item of an array, from 0 on`),
      );
    }
  }
  // An object keeps the order of the mapping; the items of an array go by their numbers.
  const ordered = isArray ? names.toSorted((a, b) => Number(a) - Number(b)) : names;
  return {
    kind: isArray ? 'array' : 'object',
    path,
    target,
    children: new Map(
      ordered.flatMap((name) => {
        const child = children.get(name);
        return child === undefined ? [] : [[name, 'kind' in child ? child : settle(child, faults)]];
      }),
    ),
  };
}

type Show = (record: JsonObject) => JsonValue | undefined;

/**
 * Makes the function that maps records. It leaves out values that the record lacks, and arrays of which it lacks an item;
 * objects are always there. Pure; for example for `renderers` of rostack-server.
 * @throws MappingError `invalid_mapping`, with every fault
 */
export function compileMapping(mapping: RecordMapping): (record: JsonObject) => JsonObject {
  const { root, faults } = growMapping(mapping);
  if (faults.length > 0) throw new MappingError(faults);
  return compileObject(root);
}

function compileNode(node: MappingLeaf | MappingBranch): Show {
  if (node.kind !== 'value') return node.kind === 'array' ? compileArray(node) : compileObject(node);
  const { value } = node;
  if ('constant' in value) return () => value.constant;
  const path = parsePointer(value.from);
  return (record) => resolvePointer(record, path);
}

function compileObject({ children }: MappingBranch): (record: JsonObject) => JsonObject {
  const members = Array.from(children, ([name, node]) => [name, compileNode(node)] as const);
  return (record) => {
    const shown: [string, JsonValue][] = [];
    for (const [name, show] of members) {
      const value = show(record);
      if (value !== undefined) shown.push([name, value]);
    }
    return Object.fromEntries(shown);
  };
}

function compileArray({ children }: MappingBranch): Show {
  const items = Array.from(children.values(), compileNode);
  return (record) => {
    const shown: JsonValue[] = [];
    for (const show of items) {
      const value = show(record);
      if (value === undefined) return undefined;
      shown.push(value);
    }
    return shown;
  };
}
