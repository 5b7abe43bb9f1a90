import type { Work } from '../database/database.ts';
import type { ColumnKind } from './column-kind.ts';
import { qualified, query } from './query.ts';
import type { ResolvedSource } from './table-source.ts';

/** A column of a key. */
export interface KeyColumn {
  /** `attnum`: stays when the column is renamed. */
  readonly number: number;
  readonly column: string;
  /** For people: `numeric(12,3)`. */
  readonly type: string;
  /** Name in `pg_type` of the type, of an array's elements; domains resolved. */
  readonly typeName: string;
  /** On SQLite, of a key: the collation of its unique index. */
  readonly collation?: string;
}

/** A column that becomes a member of its own. */
export interface MemberColumn extends KeyColumn {
  readonly isArray: boolean;
  readonly member: string;
  readonly kind: ColumnKind;
}

/** An attached table, and where the store keeps what belongs to it. */
export interface AttachedTable {
  /** The store's. */
  readonly schema: string;
  /** The resource's number in `head`, which the names of what was installed end with. */
  readonly number: number;
  readonly source: ResolvedSource;
  readonly tableOid: number;
  /** What the id is made of, in the order of the unique index. */
  readonly key: readonly KeyColumn[];
  readonly columns: readonly MemberColumn[];
}

/** `load`: rows are being copied; `sweep`: records without a row are being deleted; `live`: changes alone are moved. */
export type Phase = 'load' | 'sweep' | 'live';

/** How far the leader is. */
export interface Progress {
  readonly phase: Phase;
  /** Last id that `load` or `sweep` is done with. */
  readonly place: string | null;
  /** Moves when something was done to the columns or triggers, also when it was undone; see `layoutQuery`. */
  readonly stamp: string;
}

/** What is known of an attached table, in the table `attachment`. */
export interface Attachment extends AttachedTable, Progress {
  /** Name of the resource. */
  readonly name: string;
  /** The table as it was attached; see `layoutQuery`. */
  readonly layout: string;
  /** Digest of how rows become records; when it changes, all rows are read again. */
  readonly mapping: string;
  /** Counts the leaders; whoever holds an older one writes nothing. */
  readonly term: number;
}

type AttachmentRow = Omit<Attachment, 'schema' | 'source' | 'key' | 'columns'> &
  Readonly<Record<'source' | 'columns', string>>;

/** The attachment of a resource. @param lock what keeps it from being changed until the transaction ends; see `Dialect.forUpdate` */
export function* readAttachment(schema: string, name: string, lock = ''): Work<Attachment | undefined> {
  const [row] = yield* query<AttachmentRow>(
    `select name, number, source, columns, table_oid as "tableOid", layout, stamp, mapping, term, phase, place
      from ${attachmentTable(schema)} where name = $1 ${lock}`,
    [name],
  );
  if (row === undefined) return undefined;
  const source = JSON.parse(row.source) as ResolvedSource;
  const columns = JSON.parse(row.columns) as readonly MemberColumn[];
  const [key, members] = [columns.slice(0, source.key.length), columns.slice(source.key.length)];
  return { ...row, schema, source, key, columns: members };
}

/** Remembers that a table was attached; all of it is to be read. @param lastTerm before it */
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

/** Before all rows are read again: those that are refused come back. */
export function* emptyQuarantine(schema: string, name: string): Work<void> {
  yield* query(`delete from ${qualified(schema, 'quarantine')} where name = $1`, [name]);
}

export function attachmentTable(schema: string): string {
  return qualified(schema, 'attachment');
}
