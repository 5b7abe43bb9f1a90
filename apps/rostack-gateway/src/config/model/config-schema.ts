import { z } from 'zod';
import { configModel } from './config-model.ts';

/** A node of the configuration's JSON Schema, with the notes of `value`. */
export interface SchemaNode {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: SchemaNode | boolean;
  readonly propertyNames?: SchemaNode;
  readonly items?: SchemaNode;
  readonly anyOf?: readonly SchemaNode[];
  readonly write?: string;
  readonly secret?: boolean;
}

/** The path of the published schema, including this package's name. */
const SCHEMA_ID = 'rostack-gateway/schemas/config.json';

let known: SchemaNode | undefined;

/** The JSON Schema of the configuration file, with the notes. */
export function configSchema(): SchemaNode {
  known ??= z.toJSONSchema(configModel, { target: 'draft-2020-12', io: 'input' }) as SchemaNode;
  return known;
}

/** The JSON Schema of the configuration file, for editors. */
export function publishedConfigSchema(): Readonly<Record<string, unknown>> {
  const { $schema, ...schema } = withoutNotes(configSchema()) as Record<string, unknown>;
  return { $schema, $id: SCHEMA_ID, title: 'Configuration of rostack-gateway', ...schema };
}

function withoutNotes(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutNotes);
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).filter(
    ([name, value]) =>
      !((name === 'write' && typeof value === 'string') || (name === 'secret' && value === true)),
  );
  return Object.fromEntries(entries.map(([name, value]) => [name, withoutNotes(value)]));
}

/** The node and, if it is a choice, its alternatives. */
export function alternatives(node: SchemaNode): readonly SchemaNode[] {
  return [node, ...(node.anyOf ?? []).flatMap(alternatives)];
}

/** One step of a path into a value. */
export type PathSegment = string | number;

/** Every node that describes this member of the given nodes. */
export function stepInto(nodes: readonly SchemaNode[], segment: PathSegment): readonly SchemaNode[] {
  return nodes.flatMap((node) => {
    if (typeof segment === 'number') return node.items === undefined ? [] : alternatives(node.items);
    const member = Object.hasOwn(node.properties ?? {}, segment) ? node.properties?.[segment] : undefined;
    if (member !== undefined) return alternatives(member);
    return typeof node.additionalProperties === 'object' ? alternatives(node.additionalProperties) : [];
  });
}

/** Every node at a path, and whether the path leads into a secret. */
export function nodesAt(path: readonly PathSegment[]): {
  readonly nodes: readonly SchemaNode[];
  readonly isSecret: boolean;
} {
  let nodes = alternatives(configSchema());
  let isSecret = false;
  for (const segment of path) {
    nodes = stepInto(nodes, segment);
    isSecret ||= nodes.some(({ secret }) => secret === true);
  }
  return { nodes, isSecret };
}

/** The names of the members that these nodes declare. */
export function memberNames(nodes: readonly SchemaNode[]): readonly string[] {
  return [...new Set(nodes.flatMap(({ properties }) => Object.keys(properties ?? {})))];
}
