import { quoteName } from '../../../drivers/dialect/sql.ts';
import type { AttachedResource } from '../../batch/attached-resource.ts';

/** Bytes assumed for a number, and for a column's share of the row itself. */
const SHORT_BYTES = 32;

/** SQL: the size of a row of a SQLite table; computing it reads no value. */
export interface SqliteRowBytes {
  /** Bytes of its texts, as they are read. */
  readonly image: string;
  /** Least bytes of a record of it, as JSON: if that is more than may be carried, the record is refused. */
  readonly record: string;
}

export function sqliteRowBytes(
  { attachment, mapping }: Pick<AttachedResource, 'attachment' | 'mapping'>,
  row: string,
): SqliteRowBytes {
  const all = attachment.columns.map(({ column }, index) => {
    const field = `${row}.${quoteName(column)}`;
    const isJson = mapping.columns[index]?.takenFor === 'json';
    return {
      image: `case typeof(${field}) when 'text' then octet_length(${field}) when 'blob' then 2 * octet_length(${field}) else ${SHORT_BYTES} end`,
      record: `case typeof(${field}) when 'text' then octet_length(${field}) / ${isJson ? `(2 * ${UNIT_BYTES})` : UNIT_BYTES}
        when 'blob' then octet_length(${field}) * 4 / 3 else 0 end`,
    };
  });
  const sum = (bytes: readonly string[]) => `(${['0', ...bytes].join(' + ')})`;
  return { image: sum(all.map(({ image }) => image)), record: sum(all.map(({ record }) => record)) };
}

/** In a UTF-16 file, a text may take twice as many bytes as in its record. */
const UNIT_BYTES = `(select case encoding when 'UTF-8' then 1 else 2 end from pragma_encoding)`;
