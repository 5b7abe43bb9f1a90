import {
  createSchemaGraph,
  type FilterOperator,
  formatPointer,
  type ImplementedResource,
  type JsonSchema,
  type JsonValue,
  nodesAtPath,
  type SchemaGraph,
  type SchemaNode,
  schemasBehind,
} from 'rostack-core';
import { limitsInWords } from './limits-in-words.ts';

/** One member of a record, as the page shows it. */
export interface FieldDescription {
  /** JSON Pointer in a record; undefined inside arrays, where there is no single place. */
  readonly pointer: string | undefined;
  /** The names from the root with dots between them, `[]` for the members of an array: `wind.speed_mps`, `tags[]`. */
  readonly path: string;
  /** 0 for the record's own members. */
  readonly depth: number;
  /** JSON Schema types, such as `integer`; empty if the schema names none. */
  readonly types: readonly string[];
  /** JSON Schema `format`, such as `date-time`. */
  readonly format: string | undefined;
  /** Whether every object that can hold the member has it. */
  readonly required: boolean;
  readonly description: string | undefined;
  /** The only values that it can have. */
  readonly values: readonly JsonValue[] | undefined;
  /** Limits in words, such as `0 to 359`. */
  readonly limits: readonly string[];
  /** Smallest number that the schema allows. */
  readonly minimum: number | undefined;
  /** Most characters that the schema allows. */
  readonly maxLength: number | undefined;
  /** Advertised operators, in the order of discovery. */
  readonly operators: readonly FilterOperator[];
  readonly sortable: boolean;
  /** Whether it holds other members. */
  readonly nested: boolean;
}

const MAX_DEPTH = 8;

/** A step of reference tokens for the members of an array; any index would do. */
const ITEM = '0';

/** Every member that a record can have, parents before their members, in the order of the schema. */
export function describeFields(
  resource: Pick<ImplementedResource, 'schemaUrl' | 'filtering'>,
  schemas: ReadonlyMap<string, JsonSchema>,
): readonly FieldDescription[] {
  const { schemaUrl } = resource;
  const graph = createSchemaGraph(schemasBehind(schemaUrl, schemas));
  const root = graph.root(schemaUrl);
  if (root === undefined) return [];
  const fields: FieldDescription[] = [];
  const open = new Set<SchemaNode>();

  const visit = (tokens: readonly string[], path: string, depth: number, parents: SchemaNode[]): void => {
    const required = new Set(parents.flatMap((node) => certainNodes(graph, node)).flatMap(requiredNames));
    for (const name of memberNames(graph, parents)) {
      const own = [...tokens, name];
      const nodes = nodesAtPath(graph, root, own);
      const ownPath = path === '' ? name : `${path}.${name}`;
      add(nodes, { tokens: own, path: ownPath, depth, required: required.has(name) });
    }
  };

  const add = (
    nodes: SchemaNode[],
    place: { tokens: readonly string[]; path: string; depth: number; required: boolean },
  ): void => {
    const { tokens, path, depth } = place;
    const items = nodesAtPath(graph, root, [...tokens, ITEM]);
    const isArray = keywordsOf(nodes, 'type').flat().includes('array') && items.length > 0;
    const nested = memberNames(graph, nodes).length > 0;
    fields.push(describe(nodes, { ...place, nested: nested || isArray, filtering: resource.filtering }));
    // A schema may contain itself: one that is being described is not described again inside.
    const [first] = nodes;
    if (first === undefined || open.has(first) || depth >= MAX_DEPTH) return;
    open.add(first);
    if (nested) visit(tokens, path, depth + 1, nodes);
    else if (isArray && memberNames(graph, items).length > 0)
      visit([...tokens, ITEM], `${path}[]`, depth + 1, items);
    open.delete(first);
  };

  visit([], '', 0, nodesAtPath(graph, root, []));
  return fields;
}

function describe(
  nodes: readonly SchemaNode[],
  place: {
    readonly tokens: readonly string[];
    readonly path: string;
    readonly depth: number;
    readonly required: boolean;
    readonly nested: boolean;
    readonly filtering: ImplementedResource['filtering'];
  },
): FieldDescription {
  const { tokens, path, depth, required, nested, filtering } = place;
  const pointer = path.includes('[]') ? undefined : formatPointer(tokens);
  const text = (name: string) => keywordsOf(nodes, name).find((value) => typeof value === 'string');
  const number = (name: string) => keywordsOf(nodes, name).find((value) => typeof value === 'number');
  const constants = keywordsOf(nodes, 'const');
  const values = [...constants, ...keywordsOf(nodes, 'enum').flat()];
  const types = [...new Set(keywordsOf(nodes, 'type').flat())].filter((type) => typeof type === 'string');
  return {
    pointer,
    path,
    depth,
    types: nullLast(types.length > 0 ? types : [...new Set(values.map(jsonType))]),
    format: text('format'),
    required,
    description: text('description') ?? text('title'),
    values: values.length > 0 ? [...new Set(values)] : undefined,
    limits: limitsInWords((name) => keywordsOf(nodes, name)[0]),
    minimum: number('minimum') ?? number('exclusiveMinimum'),
    maxLength: number('maxLength'),
    operators: pointer === undefined ? [] : (filtering.filterable_fields[pointer] ?? []),
    sortable: pointer !== undefined && filtering.sortable_fields.includes(pointer),
    nested,
  };
}

const nullLast = (types: readonly string[]): readonly string[] =>
  types.toSorted((left, right) => Number(left === 'null') - Number(right === 'null'));

function keywordsOf(nodes: readonly SchemaNode[], name: string): JsonValue[] {
  return nodes
    .map(({ schema }) =>
      typeof schema === 'object' && Object.hasOwn(schema, name) ? schema[name] : undefined,
    )
    .filter((value) => value !== undefined);
}

function memberNames(graph: SchemaGraph, nodes: readonly SchemaNode[]): string[] {
  const inner = nodes.flatMap((node) => graph.inside(node));
  return [
    ...new Set(
      inner
        .filter(({ keyword, node }) => keyword === 'properties' && node.schema !== false)
        .map(({ name }) => name),
    ),
  ];
}

/** The nodes that apply whenever `node` does: itself, what it refers to, and all of `allOf`. */
function certainNodes(graph: SchemaGraph, node: SchemaNode): SchemaNode[] {
  const found = new Set<SchemaNode>();
  const pending = [node];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    const { target } = graph.references(next);
    if (target !== undefined) pending.push(target);
    for (const inner of graph.inside(next)) if (inner.keyword === 'allOf') pending.push(inner.node);
  }
  return [...found];
}

function requiredNames(node: SchemaNode): string[] {
  return keywordsOf([node], 'required')
    .flat()
    .filter((name) => typeof name === 'string');
}

function jsonType(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
}
