import { parseTrustedJson } from 'rostack-core';
import type { Work } from '../../drivers/database.ts';
import type { ColumnKind } from '../source/column-kind.ts';
import { qualified, query } from '../source/query.ts';
import type { ResolvedSource } from '../source/table-source.ts';

/** A column of a key. */
export interface KeyColumn {
  /** `attnum`, which stays the same when the column is renamed. */
  readonly number: number;
  readonly column: string;
  /** The type as SQL prints it: `numeric(12,3)`. */
  readonly type: string;
  /** Name in `pg_type` of the type (for an array, of its elements), with domains resolved. */
  readonly typeName: string;
  /** For key columns on SQLite: the collation of the unique index. */
  readonly collation?: string;
}

/** A column that becomes a member. */
export interface MemberColumn extends KeyColumn {
  readonly isArray: boolean;
  readonly member: string;
  readonly kind: ColumnKind;
  /** Digits of a `numeric` after the point; absent if any number is allowed, or for other types. */
  readonly scale?: number;
}

/** An attached table, and where the store keeps its data. */
export interface AttachedTable {
  /** The store's schema. */
  readonly schema: string;
  /** The resource's number in `head`, which ends the names of everything that was installed. */
  readonly number: number;
  readonly source: ResolvedSource;
  readonly tableOid: number;
  /** The columns of the id, in the order of the unique index. */
  readonly key: readonly KeyColumn[];
  readonly columns: readonly MemberColumn[];
}

/** `load`: rows are being copied; `sweep`: records without a row are being deleted; `live`: only new changes are moved. */
export type Phase = 'load' | 'sweep' | 'live';

/** How far the leader has come. */
export interface Progress {
  readonly phase: Phase;
  /** The last id that `load` or `sweep` has processed. */
  readonly place: string | null;
  /** Changes whenever columns or triggers are changed, even if that is undone; see `layoutQuery`. */
  readonly stamp: string;
}

/** What the table `attachment` says about an attached table. */
export interface Attachment extends AttachedTable, Progress {
  /** Name of the resource. */
  readonly name: string;
  /** The table's layout when it was attached; see `layoutQuery`. */
  readonly layout: string;
  /** Digest of how rows become records; if it changes, all rows are read again. */
  readonly mapping: string;
  /** Counts the leaders; a leader with an older term can no longer write. */
  readonly term: number;
}

type AttachmentRow = Omit<Attachment, 'schema' | 'source' | 'key' | 'columns'> &
  Readonly<Record<'source' | 'columns', string>>;

/** The attachment of a resource. @param lock SQL that keeps it unchanged until the transaction ends; see `Dialect.forUpdate` */
export function* readAttachment(schema: string, name: string, lock = ''): Work<Attachment | undefined> {
  const [row] = yield* query<AttachmentRow>(
    `select name, number, source, columns, table_oid as "tableOid", layout, stamp, mapping, term, phase, place
      from ${attachmentTable(schema)} where name = $1 ${lock}`,
    [name],
  );
  if (row === undefined) return undefined;
  const source = parseTrustedJson(row.source) as ResolvedSource;
  const columns = parseTrustedJson(row.columns) as readonly MemberColumn[];
  const [key, members] = [columns.slice(0, source.key.length), columns.slice(source.key.length)];
  return { ...row, schema, source, key, columns: members };
}

/** Records that a table was attached and has to be read completely. @param lastTerm the latest term before */
export function* writeAttachment(
  name: string,
  { schema, number, source, tableOid, key, columns }: AttachedTable,
  { layout, stamp, mapping }: Pick<Attachment, 'layout' | 'stamp' | 'mapping'>,
  lastTerm: number,
): Work<void> {
  yield* forgetAttachment(schema, name);
  yield* query(
    `insert into ${attachmentTable(schema)} (name, number, source, columns, table_oid, layout, stamp, mapping, term, phase)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'load')`,
    [
      name,
      number,
      JSON.stringify(source),
      JSON.stringify([...key, ...columns]),
      tableOid,
      layout,
      stamp,
      mapping,
      lastTerm + 1,
    ],
  );
}

export function* forgetAttachment(schema: string, name: string): Work<void> {
  yield* emptyQuarantine(schema, name);
  yield* query(`delete from ${attachmentTable(schema)} where name = $1`, [name]);
}

/** Used before all rows are read again: refused rows will come back. */
export function* emptyQuarantine(schema: string, name: string): Work<void> {
  yield* query(`delete from ${qualified(schema, 'quarantine')} where name = $1`, [name]);
}

export function attachmentTable(schema: string): string {
  return qualified(schema, 'attachment');
}
