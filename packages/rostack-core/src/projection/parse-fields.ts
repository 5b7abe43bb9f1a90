import { formatPointer, isPointer, parsePointer } from '../pointer/pointer.ts';
import { quote } from '../text/quote.ts';
import type { FieldSelection, FieldTree } from './field-selection.ts';
import { FieldsError } from './fields-error.ts';

// fields = json-pointer *( "," json-pointer ). A comma that no "/" follows belongs to the pointer before it.
const BETWEEN_POINTERS = /,(?=\/)/;

const MAX_POINTERS = 256;
const MAX_DEPTH = 64;

/**
 * Reads the `fields` parameter: at most 256 JSON Pointers of at most 64 tokens, separated by commas. A pointer that stands twice
 * or inside another one changes nothing.
 * @param hasField whether the representation can have a value at a path, see `schemaFields`
 * @throws FieldsError `invalid_fields` when a part is no JSON Pointer or names a field that the representation does not have
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
      `${quote(pointer)} is not a field: give JSON Pointers such as /name, separated by commas`,
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
    // An empty tree that is no news keeps the whole value already.
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
