import { createHash } from 'node:crypto';
import type { JsonSchema } from '../resource/resource-definition.ts';
import type { ColumnKind } from './column-type.ts';
import { type KeyedTable, keyColumns, keyNames, memberColumns } from './table-key.ts';

/** How one column becomes a member of the record. */
export interface ColumnMapping {
  readonly member: string;
  readonly kind: ColumnKind;
  readonly isArray: boolean;
  /** Numbers become text, digit for digit, because the schema says so. */
  readonly asText: boolean;
  /** NULL leaves the member out, because the schema does not admit null. */
  readonly omitsNull: boolean;
}

/** How the key becomes the record's id. */
export interface KeyMapping {
  readonly member: string;
  /** Of the key's columns, in `pg_type`. */
  readonly typeNames: readonly string[];
}

/** How a row becomes a record. */
export interface RowMapping {
  readonly key: KeyMapping;
  /** In the order of `memberColumns`. */
  readonly columns: readonly ColumnMapping[];
}

export function columnMappings(table: KeyedTable, schema: JsonSchema): RowMapping {
  const key = keyColumns(table);
  const columns = memberColumns(table).map(({ member, kind, isArray }): ColumnMapping => {
    const property = propertyOf(schema, member);
    const types = typesOf(property);
    const valueTypes = isArray ? typesOf(itemsOf(property)) : types;
    return {
      member,
      kind,
      isArray,
      asText: isNumeric(kind) && wantsText(valueTypes),
      omitsNull: types !== undefined && !types.has('null'),
    };
  });
  const typeNames = key.map(({ typeName }) => typeName);
  return { key: { member: key[0]?.member ?? '', typeNames }, columns };
}

/** Tells whether rows would become other records, or be judged otherwise, than before. */
export function mappingDigest(mapping: RowMapping, schema: JsonSchema): string {
  return createHash('sha256')
    .update(JSON.stringify([mapping, schema]))
    .digest('hex');
}

/** What of the schema no row of these columns can ever conform to. */
export function schemaFaults(
  table: KeyedTable,
  { key, columns }: RowMapping,
  schema: JsonSchema,
): readonly string[] {
  if (typeof schema === 'boolean') return [];
  const members = new Set([key, ...columns].map(({ member }) => member));
  const faults: string[] = [];
  const { required, properties, additionalProperties } = schema;
  for (const name of Array.isArray(required) ? required : []) {
    if (typeof name === 'string' && !members.has(name)) {
      faults.push(`the schema requires ${JSON.stringify(name)}, but no column gives it`);
    }
  }
  const keyed = keyNames(table.source).join(', ');
  const keyType = keyColumns(table).map(({ type }) => type);
  const made = [
    { member: key.member, column: keyed, type: keyType.join(', '), types: ['string'] },
    ...memberColumns(table).map(({ member, column, type }, index) => {
      const mapping = columns[index];
      return { member, column, type, types: mapping && jsonTypesOf(mapping) };
    }),
  ];
  for (const { member, column, type, types } of made) {
    const isKnown = isObject(properties) && Object.hasOwn(properties, member);
    if (additionalProperties === false && !isKnown) {
      faults.push(`the schema has no ${JSON.stringify(member)}: add it, or choose columns without ${column}`);
    }
    const wanted = typesOf(propertyOf(schema, member));
    if (wanted === undefined || types === undefined || types.some((name) => wanted.has(name))) continue;
    faults.push(
      `${column} (${type}) becomes a JSON ${types[0]}, but the schema wants ${[...wanted].join(' or ')}`,
    );
  }
  return faults;
}

/** JSON types that admit what the mapping makes, the usual one first; undefined: any may be met. */
function jsonTypesOf({ kind, isArray, asText }: ColumnMapping): readonly string[] | undefined {
  if (isArray) return ['array'];
  if (kind === 'json') return undefined;
  if (kind === 'boolean') return ['boolean'];
  return isNumeric(kind) && !asText ? ['number', 'integer'] : ['string'];
}

const NUMERIC: ReadonlySet<ColumnKind> = new Set(['number', 'float4', 'float8', 'exact']);

function isNumeric(kind: ColumnKind): boolean {
  return NUMERIC.has(kind);
}

function wantsText(types: ReadonlySet<string> | undefined): boolean {
  return types !== undefined && types.has('string') && !types.has('number') && !types.has('integer');
}

function propertyOf(schema: JsonSchema, member: string): unknown {
  if (typeof schema === 'boolean') return undefined;
  const { properties } = schema;
  return isObject(properties) && Object.hasOwn(properties, member) ? properties[member] : undefined;
}

function itemsOf(property: unknown): unknown {
  return isObject(property) ? property['items'] : undefined;
}

function typesOf(property: unknown): ReadonlySet<string> | undefined {
  const type = isObject(property) ? property['type'] : undefined;
  if (typeof type === 'string') return new Set([type]);
  return Array.isArray(type) ? new Set(type.filter((name) => typeof name === 'string')) : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
