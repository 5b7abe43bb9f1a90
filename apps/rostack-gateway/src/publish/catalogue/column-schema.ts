import type { JsonObject } from 'rostack-core';

/** The type of a PostgreSQL column, with domains resolved. */
export interface PostgresType {
  /** Name in `pg_type` (for an array, of its elements); `enum` for every enum, null for types of applications and extensions. */
  readonly typeName: string | null;
  readonly isArray: boolean;
  /** Labels of an enum. */
  readonly labels: readonly string[] | null;
}

/** The values of a source column's `as`. */
export type SourceAs = 'decimal-string' | 'json-text' | 'text';

/** How a record represents a column. */
export interface ColumnSchema {
  readonly schema: JsonObject | undefined;
  readonly as: SourceAs | undefined;
}

const TEXT = { type: 'string' } as const;

/** By name in `pg_type`; a type that is not listed is read as the text that the server prints for it. */
const SCHEMAS: Readonly<Record<string, JsonObject>> = {
  text: TEXT,
  varchar: TEXT,
  bpchar: TEXT,
  name: TEXT,
  uuid: { type: 'string', format: 'uuid' },
  bool: { type: 'boolean' },
  int2: { type: 'integer' },
  int4: { type: 'integer' },
  int8: { type: 'integer' },
  float4: { type: 'number' },
  float8: { type: 'number' },
  date: { type: 'string', format: 'date' },
  timestamptz: { type: 'string', format: 'date-time' },
  timestamp: { type: 'string', description: 'A date and a time without a zone.' },
  time: TEXT,
  timetz: TEXT,
  interval: TEXT,
  inet: TEXT,
  cidr: TEXT,
  macaddr: TEXT,
  macaddr8: TEXT,
  bytea: { type: 'string', contentEncoding: 'base64' },
};

/** Types of which the gateway reads no arrays: their texts depend on the session, or are encoded already. */
const NO_ELEMENTS = ['timestamptz', 'bytea', 'numeric', 'json', 'jsonb'];

/** Parsed, JSON of any form would have members that no schema names, which the protocol does not allow. */
const JSON_TEXT = { type: 'string', contentMediaType: 'application/json' } as const;

/** How a record represents a column of this type. */
export function postgresColumnSchema(type: PostgresType): ColumnSchema {
  const { typeName, isArray } = type;
  if (isArray) return arraySchema(type);
  if (typeName === 'numeric') return { schema: { type: 'string', format: 'decimal' }, as: 'decimal-string' };
  if (typeName === 'json' || typeName === 'jsonb') return { schema: JSON_TEXT, as: 'json-text' };
  const schema = schemaOf(type);
  return schema === undefined ? { schema: TEXT, as: 'text' } : { schema, as: undefined };
}

function arraySchema(type: PostgresType): ColumnSchema {
  const items = schemaOf(type);
  if (items === undefined || NO_ELEMENTS.includes(type.typeName ?? '')) return { schema: TEXT, as: 'text' };
  return { schema: { type: 'array', items: nullable(items) }, as: undefined };
}

function schemaOf({ typeName, labels }: PostgresType): JsonObject | undefined {
  if (typeName === 'enum') return { type: 'string', enum: labels ?? [] };
  return typeName === null ? undefined : SCHEMAS[typeName];
}

/** The schema, with null allowed. */
export function nullable(schema: JsonObject): JsonObject {
  const { type, enum: values } = schema;
  const types = Array.isArray(type) ? type : [type];
  if (types.includes('null')) return schema;
  return {
    ...schema,
    type: [...types, 'null'],
    ...(Array.isArray(values) && { enum: [...values, null] }),
  };
}
