import { createHash } from 'node:crypto';
import { wantsInteger } from '../resource/record-id.ts';
import type { JsonSchema } from '../resource/resource-definition.ts';
import type { AttachedTable, MemberColumn } from './attachment.ts';
import { isIntegerKey, type KeyTypeName } from './table-key.ts';

/** How one column becomes a member of the record. */
export interface ColumnMapping extends Pick<MemberColumn, 'member' | 'kind' | 'isArray'> {
  /** Numbers become text, those that a double may not hold digit for digit, because the schema says so. */
  readonly asText: boolean;
  /** NULL leaves the member out, because the schema does not admit null. */
  readonly omitsNull: boolean;
}

/** How a row becomes a record. */
export interface RowMapping {
  readonly keyMember: string;
  readonly keyTypes: readonly KeyTypeName[];
  /** The key is one column of whole numbers, and the schema wants ids to be integers. */
  readonly keyIsInteger: boolean;
  readonly columns: readonly ColumnMapping[];
  /** Tells whether rows would become other records, or be judged otherwise, than before. */
  readonly digest: string;
}

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
  const types = typesOf(property);
  const wanted = isArray ? typesOf(isObject(property) ? property['items'] : undefined) : types;
  const isText = wanted?.has('string') === true && !wanted.has('number') && !wanted.has('integer');
  return {
    member,
    kind,
    isArray,
    asText: isText && (kind === 'number' || kind === 'exact'),
    omitsNull: types?.has('null') === false,
  };
}

/** What of the schema no row of these columns can ever conform to. */
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
      types: keyIsInteger ? ['integer', 'number'] : ['string'],
    },
    ...columns.map((column) => ({ ...column, types: jsonTypesOf(columnMapping(column, schema)) })),
  ];
  const missing = (Array.isArray(required) ? required : [])
    .filter((name) => typeof name === 'string' && !made.some(({ member }) => member === name))
    .map((name) => `the schema requires ${JSON.stringify(name)}, but no column gives it`);
  const unfit = made.flatMap(({ member, column, type, types }) => {
    const faults: string[] = [];
    const isKnown = isObject(properties) && Object.hasOwn(properties, member);
    if (additionalProperties === false && !isKnown) {
      faults.push(`the schema has no ${JSON.stringify(member)}: add it, or choose columns without ${column}`);
    }
    const wanted = typesOf(propertyOf(schema, member));
    if (wanted !== undefined && types?.some((name) => wanted.has(name)) === false) {
      faults.push(
        `${column} (${type}) becomes a JSON ${types[0]}, but the schema wants ${[...wanted].join(' or ')}`,
      );
    }
    return faults;
  });
  return [...missing, ...unfit];
}

/** JSON types that admit what the mapping makes, the usual one first; undefined: any may be met. */
function jsonTypesOf({ kind, isArray, asText }: ColumnMapping): readonly string[] | undefined {
  if (isArray) return ['array'];
  if (kind === 'json') return undefined;
  if (kind === 'boolean') return ['boolean'];
  return (kind === 'number' || kind === 'exact') && !asText ? ['number', 'integer'] : ['string'];
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
