import { isAlwaysThere } from '../../definition/schema/field-types.ts';
import { formatPointer } from '../../query/pointer/format-pointer.ts';
import { parsePointer } from '../../query/pointer/pointer.ts';
import { isObject, type JsonSchema, keyword } from '../../schema/graph/json-schema.ts';
import {
  createSchemaFacts,
  intersection,
  SCHEMA_TYPES,
  type SchemaType,
  typeOf,
} from '../../schema/graph/schema-facts.ts';
import { graphOf, type SchemaGraph } from '../../schema/graph/schema-graph.ts';
import type { SchemaNode } from '../../schema/graph/schema-node.ts';
import { compositionOf, inPlaceNodes, placesAtPath } from '../../schema/graph/schema-path.ts';
import { type JsonValue, jsonEquals } from '../../text/json.ts';
import type { Fault } from '../../wire/model/fault.ts';
import {
  growMapping,
  type MappingBranch,
  type MappingLeaf,
  mappingFault,
  type RecordMapping,
} from './record-mapping.ts';

/** The schemas on both sides of a mapping, in which every object is closed. */
export interface MappedSchemas {
  /** Of the stored record. */
  readonly record: JsonSchema;
  /** Of what the mapping makes. */
  readonly representation: JsonSchema;
}

const MAX_DEPTH = 64;
const MAX_SHOWN_FIELDS = 12;
const MAX_SHOWN_LENGTH = 80;

/**
 * Finds, without a record, where a mapping makes something that the schema of its representation refuses: fields that
 * neither schema has, types that do not fit, required members that may be missing. It does not compare limits of values, such as
 * `maximum`, or the inside of objects and arrays that are taken as a whole.
 * @returns faults whose `path` is a JSON Pointer into the mapping
 */
export function checkMapping(mapping: RecordMapping, schemas: MappedSchemas): readonly Fault[] {
  const { root, faults } = growMapping(mapping);
  return faults.length > 0 ? faults : new MappingCheck(schemas).branch(root);
}

class MappingCheck {
  readonly #recordSchema: JsonSchema;
  readonly #record: SchemaView;
  readonly #representation: SchemaView;

  constructor({ record, representation }: MappedSchemas) {
    this.#recordSchema = record;
    this.#record = new SchemaView(record);
    this.#representation = new SchemaView(representation);
  }

  branch({ kind, path, target, children }: MappingBranch): Fault[] {
    const unknown = this.#unknown(path, target);
    if (unknown !== undefined) return [unknown];
    if (!this.#representation.types(path).has(kind)) {
      const message = `${place(path)} is ${named(kind)} by this mapping, which the schema of the representation does not take there; write one value for the whole of it, or correct that schema`;
      return [mappingFault(target === '' ? [] : [target], message)];
    }
    const missing =
      kind === 'array' ? [] : [...this.#representation.required(path)].filter((name) => !children.has(name));
    return [
      ...missing.map((name) =>
        mappingFault(
          [],
          `${formatPointer([...path, name])} is required by the schema of the representation; add it`,
        ),
      ),
      ...Array.from(children, ([name, child]) =>
        child.kind === 'value' ? this.#leaf(child, [...path, name], kind) : this.branch(child),
      ).flat(),
    ];
  }

  #leaf({ target, value }: MappingLeaf, path: readonly string[], holder: MappingBranch['kind']): Fault[] {
    const unknown = this.#unknown(path, target);
    if (unknown !== undefined) return [unknown];
    if ('constant' in value) {
      if (this.#representation.takes(path, value.constant)) return [];
      const message = `${shownText(value.constant)} is refused by the schema of the representation; write a value that it takes`;
      return [mappingFault([target, 'constant'], message)];
    }
    const at = [target, 'from'];
    const from = parsePointer(value.from);
    if (!this.#record.has(from)) {
      const message = `${value.from} is not a field of the schema of the record; write one, such as ${this.#record.nearFields(from)}`;
      return [mappingFault(at, message)];
    }
    const taken = this.#representation.types(path);
    const given = this.#record.types(from);
    // `number` includes `integer`.
    const isSaid = (type: SchemaType) => type !== 'integer' || !given.has('number');
    const refused = [...given].filter((type) => !taken.has(type) && isSaid(type));
    if (refused.length > 0) {
      const message = `${source(value.from)} may be ${refused.map(named).join(' or ')}, which the schema of the representation does not take there; correct that schema, or write another field`;
      return [mappingFault(at, message)];
    }
    if (isAlwaysThere(this.#recordSchema, value.from)) return [];
    if (holder === 'array') {
      const message = `${value.from} is not in every record, and an array cannot leave out an item; correct the schema of the record to require it, or write another field`;
      return [mappingFault(at, message)];
    }
    if (!this.#representation.required(path.slice(0, -1)).has(path.at(-1) ?? '')) return [];
    const message = `${value.from} is not in every record, but ${target} is required by the schema of the representation; declare both required, or neither`;
    return [mappingFault(at, message)];
  }

  #unknown(path: readonly string[], target: string): Fault | undefined {
    if (this.#representation.has(path)) return undefined;
    const message = `${place(path)} is not a field of the schema of the representation; write one, such as ${this.#representation.nearFields(path)}`;
    return mappingFault([target], message);
  }
}

const place = (path: readonly string[]) => (path.length === 0 ? 'the representation' : formatPointer(path));

function shownText(constant: JsonValue): string {
  const text = JSON.stringify(constant);
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text;
}

const source = (pointer: string) => (pointer === '' ? 'the record' : pointer);

function named(type: SchemaType): string {
  if (type === 'null') return 'null';
  return /^[aio]/.test(type) ? `an ${type}` : `a ${type}`;
}

/** What one schema says about the values at a path. */
class SchemaView {
  readonly #graph: SchemaGraph;
  readonly #facts;
  readonly #root: SchemaNode | undefined;

  constructor(schema: JsonSchema) {
    const { graph, root } = graphOf(schema);
    this.#graph = graph;
    this.#facts = createSchemaFacts(graph);
    this.#root = root;
  }

  has(path: readonly string[]): boolean {
    return this.#places(path).length > 0;
  }

  /** A record itself is an object, whether its schema says so or not. */
  types(path: readonly string[]): ReadonlySet<SchemaType> {
    if (path.length === 0) return new Set<SchemaType>(['object']);
    const all = this.#places(path).map((place) => this.#facts.types(place));
    return new Set(SCHEMA_TYPES.filter((type) => all.some((types) => types.has(type))));
  }

  /** The members that every object at the path has. */
  required(path: readonly string[]): ReadonlySet<string> {
    const [first, ...rest] = this.#places(path).map((place) => this.#facts.required(place));
    return rest.reduce(intersection, first ?? new Set());
  }

  /** Whether `type`, `const` and `enum` allow a value. */
  takes(path: readonly string[], value: JsonValue): boolean {
    return this.#places(path).some((place) => this.#takes(place, value, 0));
  }

  /** Fields at the deepest step of the path that there is. */
  nearFields(path: readonly string[]): string {
    const depth = path.findIndex((_, index) => !this.has(path.slice(0, index + 1)));
    const before = path.slice(0, Math.max(0, depth));
    const names = this.#places(before)
      .flatMap((found) => inPlaceNodes(this.#graph, found))
      .flatMap(({ schema }) => Object.keys(objectOf(keyword(schema, 'properties'))));
    const shown = [...new Set(names)]
      .slice(0, MAX_SHOWN_FIELDS)
      .map((name) => formatPointer([...before, name]));
    return shown.length > 0 ? shown.join(', ') : formatPointer(before);
  }

  #places(path: readonly string[]): readonly SchemaNode[] {
    return this.#root === undefined ? [] : placesAtPath(this.#graph, this.#root, path);
  }

  #takes(node: SchemaNode, value: JsonValue, depth: number): boolean {
    if (depth > MAX_DEPTH) return true;
    const constant = keyword(node.schema, 'const');
    const listed = keyword(node.schema, 'enum');
    const { all, choices } = compositionOf(this.#graph, node);
    const inside = (part: SchemaNode) => this.#takes(part, value, depth + 1);
    return (
      this.#facts.types(node).has(typeOf(value)) &&
      (constant === undefined || jsonEquals(constant, value)) &&
      (!Array.isArray(listed) || listed.some((one: JsonValue) => jsonEquals(one, value))) &&
      all.every(inside) &&
      choices.every((branches) => branches.some(inside))
    );
  }
}

const objectOf = (value: JsonValue | undefined) => (isObject(value) ? value : {});
