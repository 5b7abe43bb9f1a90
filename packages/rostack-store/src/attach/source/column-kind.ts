/** How a column's values are represented between the table and a record. */
export type ColumnKind =
  /** Text as it is. */
  | 'text'
  /** A number that a double can hold, as text with the fewest digits that distinguish it from its neighbours. */
  | 'number'
  /** Digits of any number, as text. */
  | 'exact'
  /** Digits of any finite number, as a decimal in a string. */
  | 'decimal'
  | 'boolean'
  /** A moment, as JSON text in UTC without its zone. */
  | 'utc'
  | 'base64'
  /** The column's own JSON text. */
  | 'json'
  /** A SQLite value as text, prefixed with a letter for its storage class; see `sqlite-row.ts`. */
  | 'stored'
  /** As `stored`, for a decimal in a string. */
  | 'stored-decimal'
  /** The text that PostgreSQL prints for a value of any type. */
  | 'printed'
  /** As `stored`, for JSON kept as its text. */
  | 'stored-json-text'
  /** JSON text that PostgreSQL's `to_json` makes of the value. */
  | 'plain';

/** By name in `pg_type`; enums have their own names. */
const KINDS: Readonly<Record<string, ColumnKind>> = {
  text: 'text',
  varchar: 'text',
  uuid: 'text',
  enum: 'text',
  int2: 'number',
  int4: 'number',
  float4: 'number',
  float8: 'number',
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

/** Types whose texts have all digits and no exponent. */
const DECIMAL_TYPES = ['int2', 'int4', 'int8', 'numeric'];

/** Whether a type's values can be decimals in strings. @param typeName for an array, that of its elements */
export function canBeDecimal(typeName: string | null, isArray: boolean): boolean {
  return !isArray && typeName !== null && DECIMAL_TYPES.includes(typeName);
}

/** How a type's values are represented; undefined for a type that no record can hold. @param typeName for an array, that of its elements */
export function kindOf(typeName: string | null, isArray: boolean): ColumnKind | undefined {
  const kind = typeName === null ? undefined : KINDS[typeName];
  // The text of such array elements depends on the writer's session, or would need a second encoding.
  return isArray && (kind === 'utc' || kind === 'base64') ? undefined : kind;
}
