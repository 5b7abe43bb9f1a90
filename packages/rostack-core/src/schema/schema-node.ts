import { formatPointer } from '../pointer/pointer.ts';
import { type AnySchema, keyword } from './json-schema.ts';
import { resolveUri, splitFragment } from './resolve-uri.ts';

/** A place in one of the schema documents of a graph. */
export interface SchemaNode {
  /** URL of the document. */
  readonly url: string;
  /** What relative references are resolved against: the closest `$id`. */
  readonly base: string;
  readonly schema: AnySchema;
  /** The node around this one; undefined at the root. */
  readonly parent: SchemaNode | undefined;
  /** Reference tokens from the parent to here. */
  readonly path: readonly string[];
}

export function createRootNode(url: string, schema: AnySchema): SchemaNode {
  return { url, base: url, schema, parent: undefined, path: [] };
}

export function createInnerNode(parent: SchemaNode, path: readonly string[], schema: AnySchema): SchemaNode {
  const id = keyword(schema, '$id');
  const uri = typeof id === 'string' ? resolveUri(id, parent.base) : undefined;
  const base = uri === undefined ? parent.base : splitFragment(uri).resource;
  return { url: parent.url, base, schema, parent, path };
}

/** JSON Pointer of a node inside its document. */
export function nodePointer(node: SchemaNode): string {
  const path: (readonly string[])[] = [];
  for (let here: SchemaNode | undefined = node; here !== undefined; here = here.parent) path.push(here.path);
  return formatPointer(path.reverse().flat());
}
