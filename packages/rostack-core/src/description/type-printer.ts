import { type AnySchema, isObject, keyword } from '../schema/graph/json-schema.ts';
import type { SchemaGraph } from '../schema/graph/schema-graph.ts';
import type { SchemaNode } from '../schema/graph/schema-node.ts';
import { isArray, type JsonValue } from '../text/json.ts';

const INDENT = '  ';
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

const PRIMITIVES: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

/** Prints JSON Schemas as TypeScript types. The target of a reference gets a named type, so that it can refer to itself. */
export class TypePrinter {
  readonly #graph: SchemaGraph;
  readonly #names = new Map<SchemaNode, string>();
  readonly #used: Set<string>;
  readonly #declarations: string[] = [];

  /** @param taken names that are already in use */
  constructor(graph: SchemaGraph, taken: readonly string[]) {
    this.#graph = graph;
    this.#used = new Set(taken);
  }

  /** All types that were named, as the text of a module. */
  get declarations(): readonly string[] {
    return this.#declarations;
  }

  /** The name of the type for a node; declares that type if it is new. */
  nameOf(node: SchemaNode, wanted: string): string {
    const known = this.#names.get(node);
    if (known !== undefined) return known;
    const name = this.#unused(pascalCase(wanted));
    this.#names.set(node, name);
    // Reserves its place before the types inside it take theirs.
    const place = this.#declarations.push('') - 1;
    const text = this.#print(node, 0);
    const isPlain = text.startsWith('{') && text.endsWith('}') && !text.includes('} & {');
    const declaration = isPlain ? `export interface ${name} ${text}` : `export type ${name} = ${text};`;
    this.#declarations[place] = `${commentOf(node.schema, 0)}${declaration}`;
    return name;
  }

  #unused(wanted: string): string {
    let name = wanted;
    for (let count = 2; this.#used.has(name); count += 1) name = `${wanted}${count}`;
    this.#used.add(name);
    return name;
  }

  #print(node: SchemaNode, depth: number): string {
    const { schema } = node;
    if (schema === false) return 'never';
    const { target, dynamicTargets } = this.#graph.references(node);
    const [referred = dynamicTargets[0]] = [target];
    const parts = [
      ...(referred === undefined ? [] : [this.nameOf(referred, lastName(referred))]),
      ...this.#ownTypes(node, depth),
      ...this.#branches(node, 'allOf', depth),
      ...['anyOf', 'oneOf'].flatMap((name) => {
        const choices = this.#branches(node, name, depth);
        return choices.length === 0 ? [] : [unionOf(choices)];
      }),
    ];
    const telling = parts.filter((part) => part !== 'unknown');
    if (telling.length === 0) return 'unknown';
    const [only = 'unknown'] = telling;
    return telling.length === 1 ? only : telling.map(inParentheses).join(' & ');
  }

  #branches(node: SchemaNode, name: string, depth: number): string[] {
    return this.#graph
      .inside(node)
      .filter(({ keyword: found }) => found === name)
      .map((inner) => this.#print(inner.node, depth));
  }

  #ownTypes(node: SchemaNode, depth: number): string[] {
    const constant = keyword(node.schema, 'const');
    if (constant !== undefined) return [literal(constant)];
    const values = keyword(node.schema, 'enum');
    if (isArray(values)) return [unionOf(values.map(literal))];
    const type = keyword(node.schema, 'type');
    const types = (isArray(type) ? type : [type]).filter((name) => typeof name === 'string');
    if (types.length === 0 && this.#describesMembers(node)) types.push('object');
    if (types.length === 0) return [];
    return [unionOf(types.map((name) => this.#printType(node, name, depth)))];
  }

  #describesMembers(node: SchemaNode): boolean {
    return isObject(keyword(node.schema, 'properties'));
  }

  #printType(node: SchemaNode, type: string, depth: number): string {
    if (type === 'object') return this.#printObject(node, depth);
    if (type === 'array') return this.#printArray(node, depth);
    return PRIMITIVES[type] ?? 'unknown';
  }

  #printObject(node: SchemaNode, depth: number): string {
    const required = keyword(node.schema, 'required');
    const needed = new Set(isArray(required) ? required : []);
    const inner = this.#graph.inside(node);
    const inside = INDENT.repeat(depth + 1);
    const members = inner
      .filter(({ keyword: found }) => found === 'properties')
      .map(({ name, node: member }) => {
        const optional = needed.has(name) ? '' : '?';
        const comment = commentOf(member.schema, depth + 1);
        return `${comment}${inside}readonly ${memberName(name)}${optional}: ${this.#print(member, depth + 1)};`;
      });
    const others = inner.filter(
      ({ keyword: found, node: other }) =>
        found === 'patternProperties' || (found === 'additionalProperties' && other.schema !== false),
    );
    if (others.length > 0) {
      const values = others.map((other) => this.#print(other.node, depth + 1));
      // An index signature has to fit the members that are named, too.
      const value = members.length > 0 ? 'unknown' : unionOf(values);
      members.push(`${inside}readonly [member: string]: ${value};`);
    }
    if (members.length > 0) return `{\n${members.join('\n')}\n${INDENT.repeat(depth)}}`;
    const isClosed = ['additionalProperties', 'unevaluatedProperties'].some(
      (name) => keyword(node.schema, name) === false,
    );
    const isComposed =
      inner.some(({ role }) => role === 'in_place') || keyword(node.schema, '$ref') !== undefined;
    if (isComposed) return 'unknown';
    return isClosed ? 'Readonly<Record<string, never>>' : 'Readonly<Record<string, unknown>>';
  }

  #printArray(node: SchemaNode, depth: number): string {
    const inner = this.#graph.inside(node);
    const first = inner.filter(({ keyword: found }) => found === 'prefixItems');
    const rest = inner.find(({ keyword: found }) => found === 'items');
    const item = rest === undefined ? 'unknown' : this.#print(rest.node, depth);
    if (first.length === 0) return `readonly ${inParentheses(item)}[]`;
    const minimum = keyword(node.schema, 'minItems');
    const items = first.map(({ node: one }, index) => {
      const isOptional = typeof minimum !== 'number' || index >= minimum;
      return isOptional ? `${inParentheses(this.#print(one, depth))}?` : this.#print(one, depth);
    });
    const more = rest?.node.schema === false ? [] : [`...${inParentheses(item)}[]`];
    return `readonly [${[...items, ...more].join(', ')}]`;
  }
}

/** `weather-notes` as `WeatherNotes`. */
export function pascalCase(text: string): string {
  const words = text.split(/[^\p{ID_Continue}$]+|_/u).filter((word) => word !== '');
  const name = words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('');
  return /^[\p{ID_Start}$_]/u.test(name) ? name : `T${name}`;
}

export const memberName = (name: string): string => (IDENTIFIER.test(name) ? name : quoted(name));

/** A text as a TypeScript literal in single quotes. */
export const quoted = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

export function unionOf(types: readonly string[]): string {
  const different = [...new Set(types)];
  if (different.includes('unknown')) return 'unknown';
  return different.length === 0
    ? 'never'
    : different.map((type) => (different.length > 1 ? inUnion(type) : type)).join(' | ');
}

const inUnion = (type: string): string => (type.includes(' & ') ? `(${type})` : type);

/** In parentheses where an operator would otherwise take only its last part. */
function inParentheses(type: string): string {
  const isSimple = /^[\w$.]+$/.test(type) || /^'(?:[^'\\]|\\.)*'$/.test(type) || /^\{[^{}]*\}$/.test(type);
  return isSimple ? type : `(${type})`;
}

function literal(value: JsonValue): string {
  if (typeof value === 'string') return quoted(value);
  if (isArray(value)) return `readonly [${value.map(literal).join(', ')}]`;
  if (isObject(value)) {
    const members = Object.entries(value).map(
      ([name, member]) => `readonly ${memberName(name)}: ${literal(member)}`,
    );
    return `{ ${members.join('; ')} }`;
  }
  return String(value);
}

/** The description of a schema, as a comment in front of its type. */
function commentOf(schema: AnySchema, depth: number): string {
  const description = keyword(schema, 'description') ?? keyword(schema, 'title');
  return typeof description === 'string' ? comment(description, INDENT.repeat(depth)) : '';
}

export function comment(text: string, indent: string): string {
  const lines = text
    .replaceAll('*/', '*\\/')
    .split(/\r?\n|\r|\u2028|\u2029/)
    .map((line) => line.trimEnd());
  if (lines.length === 1) return `${indent}/** ${lines[0] ?? ''} */\n`;
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`, ''].join(
    '\n',
  );
}

function lastName(node: SchemaNode): string {
  const name = node.path.at(-1);
  if (name !== undefined) return name;
  return /([^/?#]+?)(?:\.schema)?(?:\.json)?\/?$/.exec(node.url)?.[1] ?? 'Schema';
}
