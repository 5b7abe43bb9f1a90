import { SCHEMA_DIALECT, SPEC_BASE_URL } from '../wire/release/release.ts';
import { type JsonSchema, keyword } from './graph/json-schema.ts';
import { createObjectClosure, type ObjectClosure } from './graph/object-closure.ts';
import { createSchemaGraph, type SchemaGraph } from './graph/schema-graph.ts';
import { nodePointer, type SchemaNode } from './graph/schema-node.ts';
import { isBoundedNamePattern } from './name-pattern.ts';

/** What can be wrong with owned schemas. */
export type SchemaFindingKind =
  | 'open_object'
  | 'schema_valued_closure'
  | 'unbounded_name_pattern'
  | 'id_differs_from_url'
  | 'wrong_dialect'
  | 'unresolved_reference'
  | 'url_under_specification';

/** One breach of the rules for owned schemas. */
export interface SchemaFinding {
  /** Which rule is broken. */
  readonly kind: SchemaFindingKind;
  /** URL of the schema document. */
  readonly url: string;
  /** JSON Pointer inside the document; empty for its root. */
  readonly path: string;
  /** What is wrong and what to write instead. */
  readonly message: string;
}

/**
 * Checks owned schemas against the rules of release 2026-08-13: every object location that can be reached from a root,
 * through `$ref`, `$dynamicRef`, combinators and conditionals, is closed; each `$id` is the URL, each dialect is 2020-12.
 * `not` and `if` describe no value and are skipped. Branches of `allOf` are checked one by one: a member's schema counts
 * as closed only when it is closed itself.
 * @param schemas every schema that discovery advertises, and every schema that they refer to, by URL
 * @see protocol section 2, owned schemas
 */
export function auditSchemas(schemas: ReadonlyMap<string, JsonSchema>): SchemaFinding[] {
  const graph = createSchemaGraph(schemas);
  return [...graph.roots.flatMap(auditDocument), ...auditLocations(graph)];
}

function auditDocument(root: SchemaNode): SchemaFinding[] {
  const { url, schema } = root;
  const findings: SchemaFinding[] = [];
  if (keyword(schema, '$id') !== url) {
    findings.push({
      kind: 'id_differs_from_url',
      url,
      path: '/$id',
      message: `must be ${JSON.stringify(url)}`,
    });
  }
  if (keyword(schema, '$schema') !== SCHEMA_DIALECT) {
    findings.push({
      kind: 'wrong_dialect',
      url,
      path: '/$schema',
      message: `must be ${JSON.stringify(SCHEMA_DIALECT)}`,
    });
  }
  if (url === SPEC_BASE_URL || url.startsWith(`${SPEC_BASE_URL}/`)) {
    findings.push({
      kind: 'url_under_specification',
      url,
      path: '',
      message: `must be served by the implementation, not under ${SPEC_BASE_URL}`,
    });
  }
  return findings;
}

/** Visits every place that describes a value once. */
function auditLocations(graph: SchemaGraph): SchemaFinding[] {
  const findings: SchemaFinding[] = [];
  const closureOf = createObjectClosure(graph);
  const seen = new Set<SchemaNode>();
  // `isLocation` is false for a branch: the schema around it is the location, and is closed or open as a whole.
  const pending = graph.roots.map((node) => ({ node, isLocation: true })).reverse();
  const locations = new Set<SchemaNode>();
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, isLocation } = next;
    if (isLocation && !locations.has(node)) {
      locations.add(node);
      findings.push(...auditLocation(node, closureOf(node)));
    }
    if (seen.has(node)) continue;
    seen.add(node);
    findings.push(...auditKeywords(graph, node));
    const { target, dynamicTargets } = graph.references(node);
    for (const next of target === undefined ? dynamicTargets : [target, ...dynamicTargets]) {
      pending.push({ node: next, isLocation: false });
    }
    for (const { keyword, role, node: inner } of graph.inside(node).toReversed()) {
      if (role === 'other' || keyword === 'additionalProperties' || keyword === 'unevaluatedProperties')
        continue;
      pending.push({ node: inner, isLocation: role === 'child' });
    }
  }
  return findings;
}

function auditLocation(node: SchemaNode, { admitsObjects, closed }: ObjectClosure): SchemaFinding[] {
  if (!admitsObjects || closed) return [];
  return [finding('open_object', node, '', openMessage(node))];
}

function openMessage(node: SchemaNode): string {
  const close = 'add `additionalProperties: false`, or `unevaluatedProperties: false` next to combinators';
  return keyword(node.schema, 'type') === undefined && keyword(node.schema, 'properties') === undefined
    ? `accepts objects with any members: give it a type, or ${close}`
    : `accepts members that it does not name: ${close}`;
}

function auditKeywords(graph: SchemaGraph, node: SchemaNode): SchemaFinding[] {
  const findings: SchemaFinding[] = [];
  for (const name of ['additionalProperties', 'unevaluatedProperties']) {
    const value = keyword(node.schema, name);
    if (value !== undefined && value !== false) {
      findings.push(
        finding(
          'schema_valued_closure',
          node,
          `/${name}`,
          'must be false: a map has no place in an owned schema',
        ),
      );
    }
  }
  for (const { keyword, name, node: inner } of graph.inside(node)) {
    if (keyword !== 'patternProperties' || isBoundedNamePattern(name)) continue;
    findings.push(
      finding(
        'unbounded_name_pattern',
        inner,
        '',
        'must bound the whole name, such as "^x-[a-z]+$", and not match any name',
      ),
    );
  }
  for (const name of graph.references(node).unresolved) {
    findings.push(
      finding('unresolved_reference', node, `/${name}`, 'must lead to one of the schemas that are given'),
    );
  }
  const dialect = keyword(node.schema, '$schema');
  if (node.parent !== undefined && dialect !== undefined && dialect !== SCHEMA_DIALECT) {
    findings.push(finding('wrong_dialect', node, '/$schema', `must be ${JSON.stringify(SCHEMA_DIALECT)}`));
  }
  return findings;
}

function finding(kind: SchemaFindingKind, node: SchemaNode, below: string, message: string): SchemaFinding {
  return { kind, url: node.url, path: `${nodePointer(node)}${below}`, message };
}
