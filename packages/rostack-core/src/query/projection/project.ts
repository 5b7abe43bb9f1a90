import { isArray, type JsonObject, type JsonValue } from '../../text/json.ts';
import type { FieldSelection, FieldTree } from './parse-fields.ts';

/**
 * The selected parts of a record, without the fields that it lacks. Selected elements of an array keep their order and
 * close up. Own members only.
 * @see protocol section 5
 */
export function project(record: JsonValue, selection: FieldSelection): JsonValue {
  return keep(record, selection.tree) ?? null;
}

function keep(value: JsonValue, tree: FieldTree): JsonValue | undefined {
  if (tree.size === 0) return value;
  if (typeof value !== 'object' || value === null) return undefined;
  if (isArray(value)) return value.flatMap((item, index) => keepItem(item, tree.get(String(index))));
  return keepMembers(value, tree);
}

function keepItem(item: JsonValue, tree: FieldTree | undefined): readonly JsonValue[] {
  const kept = tree === undefined ? undefined : keep(item, tree);
  return kept === undefined ? [] : [kept];
}

function keepMembers(value: JsonObject, tree: FieldTree): JsonObject {
  const members: [string, JsonValue][] = [];
  for (const [name, inner] of tree) {
    const member = Object.hasOwn(value, name) ? value[name] : undefined;
    const kept = member === undefined ? undefined : keep(member, inner);
    if (kept !== undefined) members.push([name, kept]);
  }
  return Object.fromEntries(members);
}
