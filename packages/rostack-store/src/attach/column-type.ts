/** How a column's values travel from the table to a record. */
export type ColumnKind =
  /** Text as it is. */
  | 'text'
  /** A whole number that a double holds, as text. */
  | 'number'
  /** Bits of a floating-point number, in hexadecimal: as text they would depend on the writer's settings. */
  | 'float4'
  | 'float8'
  /** Digits of any number, as text. */
  | 'exact'
  | 'boolean'
  /** A moment, as JSON text in UTC without its zone. */
  | 'utc'
  | 'base64'
  /** JSON text of the column's own. */
  | 'json'
  /** JSON text of what PostgreSQL's `to_json` makes of the value. */
  | 'plain';

/** The type of a column, domains resolved. */
export interface TypeFacts {
  /** Name in `pg_type` of the type, of an array's elements. */
  readonly typeName: string;
  readonly isBuiltIn: boolean;
  readonly isEnum: boolean;
  readonly isArray: boolean;
}

const KINDS: Readonly<Record<string, ColumnKind>> = {
  text: 'text',
  varchar: 'text',
  uuid: 'text',
  int2: 'number',
  int4: 'number',
  float4: 'float4',
  float8: 'float8',
  int8: 'exact',
  numeric: 'exact',
  bool: 'boolean',
  timestamptz: 'utc',
  bytea: 'base64',
  json: 'json',
  jsonb: 'json',
  bpchar: 'plain',
  name: 'plain',
  date: 'plain',
  time: 'plain',
  timetz: 'plain',
  timestamp: 'plain',
  interval: 'plain',
  inet: 'plain',
  cidr: 'plain',
  macaddr: 'plain',
  macaddr8: 'plain',
};

/** Undefined for a type that no record can hold. */
export function kindOf({ typeName, isBuiltIn, isEnum, isArray }: TypeFacts): ColumnKind | undefined {
  if (isEnum) return 'plain';
  const kind = isBuiltIn ? KINDS[typeName] : undefined;
  // Their elements' text depends on the writer's session, or would need a second encoding.
  if (isArray && (kind === 'utc' || kind === 'base64')) return undefined;
  return kind;
}

/**
 * SQL that turns a value into text. Of the session's settings it depends on `extra_float_digits` and `intervalstyle` alone, and on no search path.
 * @param value an expression over the column
 */
export function expressionOf(kind: ColumnKind, isArray: boolean, value: string): string {
  if (isArray) {
    return kind === 'exact'
      ? `pg_catalog.to_json(${value}::pg_catalog.text[])::pg_catalog.text`
      : `pg_catalog.to_json(${value})::pg_catalog.text`;
  }
  switch (kind) {
    case 'utc':
      return `pg_catalog.to_json(pg_catalog.timezone('UTC', ${value}))::pg_catalog.text`;
    case 'float4':
    case 'float8':
      return `pg_catalog.encode(pg_catalog.${kind}send(${value}), 'hex')`;
    case 'base64':
      return `pg_catalog.encode(${value}, 'base64')`;
    case 'plain':
      return `pg_catalog.to_json(${value})::pg_catalog.text`;
    default:
      return `${value}::pg_catalog.text`;
  }
}
