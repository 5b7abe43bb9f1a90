import { createHash } from 'node:crypto';
import { fieldTypes, formatPointer, type JsonObject, type JsonValue } from 'rostack-core';
import { wantsInteger } from '../../schema/resource/record-id.ts';
import type { JsonSchema } from '../../schema/resource/resource-definition.ts';
import type { AttachedTable, MemberColumn } from '../attachment/attachment.ts';
import { isIntegerKey, type KeyTypeName } from './table-key.ts';

/** How one column becomes a member of the record. */
export interface ColumnMapping extends Pick<MemberColumn, 'member' | 'kind' | 'isArray'> {
  /** Numbers become text because the schema says so; those that a double may not hold keep their digits exactly. */
  readonly asText: boolean;
  /** NULL leaves the member out, because the schema does not allow null. */
  readonly omitsNull: boolean;
  /** What SQLite's numbers 0 and 1, or texts, are read as, because the schema allows nothing else and SQLite has no such type. */
  readonly takenFor?: 'boolean' | 'json';
}

/** How a row becomes a record. */
export interface RowMapping {
  readonly keyMember: string;
  readonly keyTypes: readonly KeyTypeName[];
  /** The key is one column of integers, and the schema wants ids to be integers. */
  readonly keyIsInteger: boolean;
  readonly columns: readonly ColumnMapping[];
  /** Changes if rows would become different records, or be accepted or refused differently, than before. */
  readonly digest: string;
}

/** A value for a record, or why JSON cannot express it. */
export type Decoded = { readonly value: JsonValue } | { readonly fault: string };

/** All JSON types are allowed: the schema says nothing. */
const ALL_TYPES = 6;

type Table = Pick<AttachedTable, 'source' | 'key' | 'columns'>;

export function rowMapping({ source, key, columns }: Table, schema: JsonSchema): RowMapping {
  const mapping = {
    keyMember: source.keyMember,
    keyTypes: key.map(({ typeName }) => ({ typeName })),
    keyIsInteger: isIntegerKey(key) && wantsInteger(schema, [source.keyMember]),
    columns: columns.map((column) => columnMapping(column, schema)),
  };
  const digest = createHash('sha256').update(JSON.stringify([mapping, schema]));
  return { ...mapping, digest: digest.digest('hex') };
}

function columnMapping({ member, kind, isArray }: MemberColumn, schema: JsonSchema): ColumnMapping {
  const property = propertyOf(schema, member);
  const types = typesAt(schema, member);
  const wanted = isArray ? typesOf(isObject(property) ? property['items'] : undefined) : types;
  const takenFor = kind === 'stored' ? takenForOf(types) : undefined;
  const isText = wanted?.has('string') === true && !wanted.has('number') && !wanted.has('integer');
  return {
    member,
    kind,
    isArray,
    asText: isText && (kind === 'number' || kind === 'exact' || kind === 'stored'),
    omitsNull: types?.has('null') === false,
    ...(takenFor && { takenFor }),
  };
}

function takenForOf(types: ReadonlySet<unknown> | undefined): ColumnMapping['takenFor'] {
  if (types === undefined) return undefined;
  if (types.has('boolean') && !types.has('number') && !types.has('integer')) return 'boolean';
  return (types.has('object') || types.has('array')) && !types.has('string') ? 'json' : undefined;
}

/** Why no row of these columns can ever conform to the schema. */
export function schemaFaults(table: Table, schema: JsonSchema): readonly string[] {
  if (typeof schema === 'boolean') return [];
  const { source, key, columns } = table;
  const { keyIsInteger } = rowMapping(table, schema);
  const { required, properties, additionalProperties } = schema;
  const made = [
    {
      member: source.keyMember,
      column: source.key.join(', '),
      type: key.map(({ type }) => type).join(', '),
      kind: undefined,
      types: keyIsInteger ? ['integer', 'number'] : ['string'],
    },
    ...columns.map((column) => ({ ...column, types: jsonTypesOf(columnMapping(column, schema)) })),
  ];
  const missing = (Array.isArray(required) ? required : [])
    .filter((name) => typeof name === 'string' && !made.some(({ member }) => member === name))
    .map((name) => `the schema requires ${JSON.stringify(name)}, but no column provides it`);
  const unfit = made.flatMap(({ member, column, type, kind, types }) => {
    const faults: string[] = [];
    const isKnown = isObject(properties) && Object.hasOwn(properties, member);
    if (additionalProperties === false && !isKnown) {
      faults.push(`the schema has no ${JSON.stringify(member)}: add it, or choose columns without ${column}`);
    }
    const wanted = typesAt(schema, member);
    if (wanted !== undefined && types?.some((name) => wanted.has(name)) === false) {
      const made = kind === 'json' ? 'the value in its JSON' : `a JSON ${types[0]}`;
      const remedy =
        wanted.has('string') && kind === 'json'
          ? `; for its text write { column: ${JSON.stringify(column)}, as: json-text }`
          : '';
      faults.push(
        `${column} (${type}) becomes ${made}, but the schema wants ${[...wanted].join(' or ')}${remedy}`,
      );
    }
    return faults;
  });
  return [...missing, ...unfit];
}

/** JSON types that fit the mapping's values, the usual one first; undefined if any type may occur. */
function jsonTypesOf({ kind, isArray, asText }: ColumnMapping): readonly string[] | undefined {
  if (isArray) return ['array'];
  if (kind === 'stored') return undefined;
  // A schema that allows only strings does not fit a JSON column: `json-text` serves such a member.
  if (kind === 'json') return ['object', 'array', 'number', 'integer', 'boolean'];
  if (kind === 'boolean') return ['boolean'];
  return (kind === 'number' || kind === 'exact') && !asText ? ['number', 'integer'] : ['string'];
}

/** The types of a member, found through its reference if it refers to another schema. */
function typesAt(schema: JsonSchema, member: string): ReadonlySet<unknown> | undefined {
  const property = propertyOf(schema, member);
  if (!isObject(property) || !Object.hasOwn(property, '$ref')) return typesOf(property);
  const types = fieldTypes(schema as JsonObject, formatPointer([member]));
  if (types === undefined || types.size === ALL_TYPES) return undefined;
  return new Set<string>(types.has('number') ? [...types, 'integer'] : types);
}

function propertyOf(schema: JsonSchema, member: string): unknown {
  if (typeof schema === 'boolean') return undefined;
  const { properties } = schema;
  return isObject(properties) && Object.hasOwn(properties, member) ? properties[member] : undefined;
}

function typesOf(property: unknown): ReadonlySet<unknown> | undefined {
  const type = isObject(property) ? property['type'] : undefined;
  if (typeof type === 'string') return new Set([type]);
  return Array.isArray(type) ? new Set(type) : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
