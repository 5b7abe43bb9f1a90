import type { Row } from '../../../drivers/dialect/query.ts';
import { quoteName } from '../../../drivers/dialect/sql.ts';
import type { Attachment } from '../../attachment/attachment.ts';
import type { NetChange } from '../../row/net-change.ts';
import type { RowImage } from '../../row/row-image.ts';
import { storedText } from '../../row/sqlite-row.ts';
import { qualified } from '../../source/query.ts';

/** Of longer keys only this many bytes are read: no id is as long. */
export const MAX_KEY_BYTES = 65_536;

/** A row that no record can hold. */
export interface RefusedRow {
  readonly id: string;
  readonly refusedBytes: number;
}

/** One row of the table, or of the records, as the queries here return it. */
export type FoundRow = Row & { readonly id: string; readonly isThere: number };

/** The change that a row makes. */
export function changeOf({ columns }: Attachment, row: FoundRow): NetChange {
  const { id } = row;
  if (row.isThere === 0) return { id, image: null };
  const texts = columns.map((_, index) => (row[`v${index}`] ?? null) as string | null);
  return { id, image: [id, ...texts] satisfies RowImage };
}

/** SQL: the columns that become members, as `v0`, `v1` ... */
export function values({ columns }: Attachment): string {
  const texts = columns.map(({ column }, index) => `${storedText(`t.${quoteName(column)}`)} as v${index}`);
  return texts.length === 0 ? 'null' : texts.join(', ');
}

/** SQL: the full name of an attachment's table. */
export function tableOf({ source }: Attachment): string {
  return qualified(source.schema, source.table);
}
