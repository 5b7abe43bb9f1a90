import { formatPointer } from '../../query/pointer/format-pointer.ts';
import { type AnySchema, keyword } from './json-schema.ts';

/** A place in one of the schema documents of a graph. */
export interface SchemaNode {
  /** URL of the document. */
  readonly url: string;
  /** The base for relative references: the closest `$id`. */
  readonly base: string;
  /** The schema at this place: an object, `true` or `false`. */
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

/** The part of the web platform's URL that is used here; Node, browsers and edge runtimes all have it. */
declare const URL: {
  new (reference: string, base?: string): { readonly href: string };
  canParse(reference: string, base?: string): boolean;
};

/** Resolves a URI reference against a base (RFC 3986 section 5); undefined when the result is not a URI. */
export const resolveUri = (reference: string, base: string): string | undefined =>
  URL.canParse(reference, base) ? new URL(reference, base).href : undefined;

/** Splits a URI at `#`; the fragment is percent-decoded, and empty when there is none. */
export function splitFragment(uri: string): { readonly resource: string; readonly fragment: string } {
  const hash = uri.indexOf('#');
  if (hash === -1) return { resource: uri, fragment: '' };
  try {
    return { resource: uri.slice(0, hash), fragment: decodeURIComponent(uri.slice(hash + 1)) };
  } catch {
    return { resource: uri.slice(0, hash), fragment: uri.slice(hash + 1) };
  }
}
