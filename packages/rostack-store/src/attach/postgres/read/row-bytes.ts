import { quoteName } from '../../../drivers/dialect/sql.ts';
import type { AttachedTable, MemberColumn } from '../../attachment/attachment.ts';
import { columnText, columnValue } from '../../row/row-image.ts';

/** Numbers, times and names of enums; those that are longer are measured. */
const SHORT_BYTES = 64;
/** Types besides text, bytes and JSON whose texts may be long. */
const LONG_TYPES: ReadonlySet<string> = new Set(['numeric', 'bpchar']);
/** Binary JSON and arrays take at most so many times the bytes of their texts. */
const SHRINKAGE = 8;
/** JSON texts, with their blanks and quotes, take at most so many times the bytes that a record has of them. */
const LOOSENESS = 2;

/** SQL: how large a row is. */
export interface RowBytes {
  /** What has to be read of a row, as it is stored, so that the others are known; this itself is known without. */
  readonly measured: string;
  /** The texts of its image. Texts and bytes are not read for it, JSON and arrays are, one at a time. */
  readonly image: string;
  /** What a record of it has at least, as JSON: more than may be carried means that the record is refused. */
  readonly record: string;
}

/**
 * How large a row of the table is, on PostgreSQL. All three are numbers, never null.
 * @param maxBytes what `record` is compared with: what is far larger as it is stored is not made a text to know it exactly
 */
export function rowBytes(
  { columns }: Pick<AttachedTable, 'columns'>,
  row: string,
  maxBytes: number,
): RowBytes {
  const all = columns.map((column) => columnBytes(column, row, maxBytes));
  // All operators that are written with their schema bind alike.
  const sum = (bytes: readonly string[]) =>
    `(${['0::pg_catalog.int8', ...bytes.map((each) => `(${each})`)].join(' operator(pg_catalog.+) ')})`;
  return {
    measured: sum(all.map(({ measured }) => measured)),
    image: sum(all.map(({ image }) => image)),
    record: sum(all.map(({ record }) => record)),
  };
}

/** Sizes of a row that is not read, whatever its values are: a record of it would have more bytes than may be carried. */
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
  // A number may have digits that a record does without.
  if (!isArray && typeName === 'numeric') return { measured, image, record: '0' };
  return {
    measured,
    image,
    record: kind === 'text' || kind === 'printed' ? image : `${image} operator(pg_catalog./) ${LOOSENESS}`,
  };
}
