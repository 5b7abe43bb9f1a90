import { isPointer, parsePointer, resolvePointer } from '../../query/pointer/pointer.ts';
import type { JsonObject } from '../../text/json.ts';
import { isSchema, type JsonSchema, keyword } from './json-schema.ts';
import {
  createInnerNode,
  createRootNode,
  resolveUri,
  type SchemaNode,
  splitFragment,
} from './schema-node.ts';
import { type SubschemaRole, subschemas } from './subschemas.ts';

/** A schema directly inside another one. */
export interface InnerNode {
  /** The keyword that holds it, such as `properties` or `allOf`. */
  readonly keyword: string;
  /** Whether it applies to the same instance, to a member or item of it, or to neither. */
  readonly role: SubschemaRole;
  /** The last reference token: a property name, an index, or the keyword itself. */
  readonly name: string;
  /** The schema itself. */
  readonly node: SchemaNode;
}

/** What the `$ref` and the `$dynamicRef` of a node lead to. */
export interface References {
  /** What `$ref` leads to; undefined if there is none, or if its target does not exist. */
  readonly target: SchemaNode | undefined;
  /** The possible targets: the static one, and all nodes with the same dynamic anchor. */
  readonly dynamicTargets: readonly SchemaNode[];
  /** The keywords whose target does not exist. */
  readonly unresolved: readonly ('$ref' | '$dynamicRef')[];
}

/** Schema documents that may refer to each other. */
export interface SchemaGraph {
  /** The root of each document, in the order in which the documents were given. */
  readonly roots: readonly SchemaNode[];
  /** The root of the document with this URL. */
  readonly root: (url: string) => SchemaNode | undefined;
  /** The schemas directly inside a node, by the keywords of draft 2020-12; empty for `true` and `false`. */
  readonly inside: (node: SchemaNode) => readonly InnerNode[];
  /** Follows the references of a node by one step. */
  readonly references: (node: SchemaNode) => References;
}

/** References inside a schema without a URL need some base. */
const URL_OF_SCHEMA = 'https://schema.invalid/';

/** The graph of one schema, which is known by its `$id` if it has one, and its root. */
export function graphOf(schema: JsonSchema): { readonly graph: SchemaGraph; readonly root: SchemaNode } {
  const id = keyword(schema, '$id');
  const uri = typeof id === 'string' ? resolveUri(id, URL_OF_SCHEMA) : undefined;
  const url = uri === undefined ? URL_OF_SCHEMA : splitFragment(uri).resource;
  const graph = createSchemaGraph(new Map([[url, schema]]));
  const [root = createRootNode(url, schema)] = graph.roots;
  return { graph, root };
}

/** Indexes schema documents by URL, `$id` and anchor, so that references between them can be followed. */
export function createSchemaGraph(schemas: ReadonlyMap<string, JsonSchema>): SchemaGraph {
  const roots = Array.from(schemas, ([url, schema]) => createRootNode(url, schema));
  const byUrl = new Map<string, SchemaNode>(roots.map((root) => [root.url, root]));
  const byUri = new Map(byUrl);
  const byValue = new Map<JsonObject, SchemaNode>();
  const innerNodes = new Map<SchemaNode, readonly InnerNode[]>();
  const dynamicAnchors = new Map<string, SchemaNode[]>();

  const index = (node: SchemaNode): void => {
    if (node.parent !== undefined && node.base !== node.parent.base) byUri.set(node.base, node);
    for (const name of ['$anchor', '$dynamicAnchor']) {
      const anchor = keyword(node.schema, name);
      if (typeof anchor !== 'string') continue;
      byUri.set(`${node.base}#${anchor}`, node);
      if (name === '$dynamicAnchor')
        dynamicAnchors.set(anchor, [...(dynamicAnchors.get(anchor) ?? []), node]);
    }
  };

  const pending = [...roots];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    // One object may be in several places, even inside itself: it is visited once.
    if (typeof node.schema === 'boolean' || byValue.has(node.schema)) continue;
    byValue.set(node.schema, node);
    index(node);
    const holder = node;
    const inner = subschemas(node.schema).map(({ keyword, role, path, schema }) => ({
      keyword,
      role,
      name: path.at(-1) ?? keyword,
      node: createInnerNode(holder, path, schema),
    }));
    innerNodes.set(node, inner);
    for (const inside of inner) pending.push(inside.node);
  }

  const atPointer = (from: SchemaNode, pointer: string): SchemaNode | undefined => {
    if (!isPointer(pointer)) return undefined;
    const path = parsePointer(pointer);
    const value = resolvePointer(from.schema, path);
    if (!isSchema(value)) return undefined;
    return typeof value === 'boolean' ? createInnerNode(from, path, value) : byValue.get(value);
  };

  const resolve = (node: SchemaNode, reference: string): SchemaNode | undefined => {
    const uri = resolveUri(reference, node.base);
    if (uri === undefined) return undefined;
    const { resource, fragment } = splitFragment(uri);
    if (fragment === '' || fragment.startsWith('/')) {
      const target = byUri.get(resource);
      return target === undefined ? undefined : atPointer(target, fragment);
    }
    return byUri.get(`${resource}#${fragment}`);
  };

  const resolveDynamic = (node: SchemaNode, reference: string): readonly SchemaNode[] => {
    const target = resolve(node, reference);
    if (target === undefined) return [];
    const anchor = keyword(target.schema, '$dynamicAnchor');
    if (typeof anchor !== 'string' || splitFragment(reference).fragment !== anchor) return [target];
    return [...new Set([target, ...(dynamicAnchors.get(anchor) ?? [])])];
  };

  return {
    roots,
    root: (url) => byUrl.get(url),
    inside: (node) => innerNodes.get(node) ?? [],
    references: (node) => {
      const reference = keyword(node.schema, '$ref');
      const dynamic = keyword(node.schema, '$dynamicRef');
      const target = typeof reference === 'string' ? resolve(node, reference) : undefined;
      const dynamicTargets = typeof dynamic === 'string' ? resolveDynamic(node, dynamic) : [];
      const unresolved: ('$ref' | '$dynamicRef')[] = [];
      if (reference !== undefined && target === undefined) unresolved.push('$ref');
      if (dynamic !== undefined && dynamicTargets.length === 0) unresolved.push('$dynamicRef');
      return { target, dynamicTargets, unresolved };
    },
  };
}
