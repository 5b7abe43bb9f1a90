import { schemasBehind } from '../../schema/bundle-schema.ts';
import type { JsonSchema } from '../../schema/graph/json-schema.ts';
import { createSchemaGraph } from '../../schema/graph/schema-graph.ts';
import { nodesAtPath } from '../../schema/graph/schema-path.ts';
import { defineError } from '../../text/define-error.ts';
import { quote } from '../../text/strings.ts';
import { formatPointer } from '../pointer/format-pointer.ts';
import { isPointer, parsePointer } from '../pointer/pointer.ts';

/** Reference tokens to keep, each with the parts of its value to keep; an empty tree keeps everything. */
export type FieldTree = ReadonlyMap<string, FieldTree>;

/** Which parts of a record to keep. */
export interface FieldSelection {
  /** Sorted JSON Pointers, none inside another one: equal for selections that keep the same fields. */
  readonly pointers: readonly string[];
  /** The same fields as nested maps, by reference token, for `project`. */
  readonly tree: FieldTree;
}

/** The `fields` parameter is malformed, or names a field that the representation does not have. */
export class FieldsError extends defineError('FieldsError', 'invalid_fields', false) {}

// fields = json-pointer *( "," json-pointer ). A comma that no "/" follows belongs to the pointer before it.
const BETWEEN_POINTERS = /,(?=\/)/;

const MAX_POINTERS = 256;
const MAX_DEPTH = 64;

/**
 * Parses the `fields` parameter: at most 256 JSON Pointers of at most 64 tokens, separated by commas. A pointer that is
 * repeated, or inside another one, changes nothing.
 * @param hasField whether the representation can have a value at a path, see `schemaFields`
 * @throws FieldsError `invalid_fields` when a part is not a JSON Pointer, or not a field of the representation
 * @see protocol section 5
 */
export function parseFields(text: string, hasField: (path: readonly string[]) => boolean): FieldSelection {
  const pointers = text.split(BETWEEN_POINTERS);
  if (pointers.length > MAX_POINTERS) throw new FieldsError(`name at most ${MAX_POINTERS} fields`);
  const tree: MutableTree = new Map();
  for (const pointer of pointers) add(tree, parseField(pointer, hasField));
  return { pointers: pointersOf(tree, []).sort(), tree };
}

function parseField(pointer: string, hasField: (path: readonly string[]) => boolean): readonly string[] {
  if (!pointer.startsWith('/') || !isPointer(pointer)) {
    throw new FieldsError(
      `${quote(pointer)} is not a field: pass JSON Pointers such as /name, separated by commas`,
    );
  }
  const path = parsePointer(pointer);
  if (path.length > MAX_DEPTH || !hasField(path)) {
    throw new FieldsError(`the representation has no field ${quote(pointer)}`);
  }
  return path;
}

interface MutableTree extends Map<string, MutableTree> {}

function add(tree: MutableTree, path: readonly string[]): void {
  let here = tree;
  let isNew = false;
  for (const token of path) {
    let next = here.get(token);
    // An empty tree that was already there keeps the whole value.
    if (next?.size === 0) return;
    if (next === undefined) {
      next = new Map();
      here.set(token, next);
      isNew = true;
    }
    here = next;
  }
  if (!isNew) here.clear();
}

function pointersOf(tree: FieldTree, path: readonly string[]): string[] {
  if (tree.size === 0) return [formatPointer(path)];
  return [...tree].flatMap(([token, inner]) => pointersOf(inner, [...path, token]));
}

/**
 * Tells which paths a record of a schema can have, following references, combinators and arrays.
 * @param schemas by URL: the representation's schema and all that it refers to
 * @param url of the representation's schema; if `schemas` lacks it, no path exists
 */
export function schemaFields(
  schemas: ReadonlyMap<string, JsonSchema>,
  url: string,
): (path: readonly string[]) => boolean {
  const graph = createSchemaGraph(schemasBehind(url, schemas));
  const root = graph.root(url);
  return (path) => root !== undefined && nodesAtPath(graph, root, path).length > 0;
}
