import { quoteName } from '../../../drivers/dialect/sql.ts';
import type { AttachedTable, MemberColumn } from '../../attachment/attachment.ts';
import { columnText, columnValue } from '../../row/row-image.ts';

/** Bytes assumed for numbers, times and names of enums; longer texts are measured. */
const SHORT_BYTES = 64;
/** Types besides text, bytes and JSON whose texts may be long. */
const LONG_TYPES: ReadonlySet<string> = new Set(['numeric', 'bpchar']);
/** Binary JSON and arrays take at most this many times the bytes of their texts. */
const SHRINKAGE = 8;
/** JSON texts, with their blanks and quotes, take at most this many times the bytes that they take in a record. */
const LOOSENESS = 2;

/** SQL: the size of a row. */
export interface RowBytes {
  /** Bytes to read of a row, as it is stored, to compute the other two; this one is computed without reading. */
  readonly measured: string;
  /** Bytes of the texts of its image. Computing it reads no texts or bytes, but JSON and arrays, one at a time. */
  readonly image: string;
  /** Least bytes of a record of it, as JSON: if that is more than may be carried, the record is refused. */
  readonly record: string;
}

/**
 * The size of a row of the table, on PostgreSQL. All three are numbers, never null.
 * @param maxBytes what `record` is compared with: a value that is far larger as stored is not converted to text to know its exact size
 */
export function rowBytes(
  { columns }: Pick<AttachedTable, 'columns'>,
  row: string,
  maxBytes: number,
): RowBytes {
  const all = columns.map((column) => columnBytes(column, row, maxBytes));
  // All operators written with their schema have the same precedence.
  const sum = (bytes: readonly string[]) =>
    `(${['0::pg_catalog.int8', ...bytes.map((each) => `(${each})`)].join(' operator(pg_catalog.+) ')})`;
  return {
    measured: sum(all.map(({ measured }) => measured)),
    image: sum(all.map(({ image }) => image)),
    record: sum(all.map(({ record }) => record)),
  };
}

/** Sizes of a row that is not read, whatever its values: a record of it would exceed the bytes that may be carried. */
export function unreadBytes(maxBytes: number): RowBytes {
  return { measured: '0', image: '0', record: `${maxBytes + 1}` };
}

function columnBytes(column: MemberColumn, row: string, maxBytes: number): RowBytes {
  const { kind, isArray, typeName } = column;
  const field = `${row}.${quoteName(column.column)}`;
  const orNone = (bytes: string) => `coalesce(${bytes}, 0)`;
  if (!isArray && (typeName === 'text' || typeName === 'varchar')) {
    const bytes = orNone(`pg_catalog.octet_length(${columnValue(column, row)})`);
    return { measured: '0', image: bytes, record: bytes };
  }
  if (!isArray && kind === 'base64') {
    const bytes = `pg_catalog.octet_length(${columnValue(column, row)})::pg_catalog.int8`;
    const quarters = (per: number) =>
      orNone(`${bytes} operator(pg_catalog.*) ${per} operator(pg_catalog./) 100`);
    return { measured: '0', image: quarters(136), record: quarters(133) };
  }
  if (!isArray && kind !== 'json' && kind !== 'printed' && !LONG_TYPES.has(typeName)) {
    return { measured: '0', image: `${SHORT_BYTES}`, record: '0' };
  }
  const stored = `pg_catalog.pg_column_size(${field})`;
  const isFarTooLarge = `${stored} operator(pg_catalog.>) ${SHRINKAGE * maxBytes}::pg_catalog.int8`;
  const text = `pg_catalog.octet_length(${columnText(column, row)})`;
  const measured = orNone(`case when ${isFarTooLarge} then 0 else ${stored} end`);
  const image = orNone(`case when ${isFarTooLarge} then ${stored} else ${text} end`);
  // A number may have digits that a record leaves out.
  if (!isArray && typeName === 'numeric') return { measured, image, record: '0' };
  return {
    measured,
    image,
    record: kind === 'text' || kind === 'printed' ? image : `${image} operator(pg_catalog./) ${LOOSENESS}`,
  };
}
