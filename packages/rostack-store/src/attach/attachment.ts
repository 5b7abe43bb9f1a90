import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { run, type Work } from '../database/database.ts';
import { type Dialect, once } from '../database/dialect.ts';
import type { ColumnKind, TypeFacts } from './column-type.ts';
import { IS_LED } from './leader-lease.ts';
import type { ResolvedSource } from './table-source.ts';

/** A column of an attached table. */
export interface AttachedColumn extends TypeFacts {
  /** `attnum`: stays when the column is renamed. */
  readonly number: number;
  readonly column: string;
  readonly member: string;
  /** For people: `numeric(12,3)`. */
  readonly type: string;
  readonly kind: ColumnKind;
}

/** `load`: rows are being copied; `sweep`: records without a row are being deleted; `live`: changes alone are moved. */
export type Phase = 'load' | 'sweep' | 'live';

/** What is known of an attached table, in the table `attachment`. */
export interface Attachment {
  /** Name of the resource. */
  readonly name: string;
  /** The resource's number in `head`, which the names of what was installed end with. */
  readonly number: number;
  readonly source: ResolvedSource;
  /** Those of the key come first. */
  readonly columns: readonly AttachedColumn[];
  readonly tableOid: number;
  /** The table as it was attached; see `layoutQuery`. */
  readonly layout: string;
  /** Moves when something was done to the columns or triggers, whatever came of it. */
  readonly stamp: string;
  /** Digest of how rows become records; when it changes, all rows are read again. */
  readonly mapping: string;
  /** Counts the leaders; whoever holds an older one writes nothing. */
  readonly term: number;
  /** Whether the leader of the term has time left. */
  readonly isLed: boolean;
  readonly phase: Phase;
  /** Last key that `load` or `sweep` is done with. */
  readonly place: string | null;
}

interface AttachmentRow {
  readonly name: string;
  readonly number: number;
  readonly source: string;
  readonly columns: string;
  readonly table_oid: number;
  readonly layout: string;
  readonly stamp: string;
  readonly mapping: string;
  readonly term: number;
  readonly leads_until: Date | null;
  readonly is_led: boolean;
  readonly phase: Phase;
  readonly place: string | null;
}

export function toAttachment(row: AttachmentRow): Attachment {
  const { table_oid: tableOid, leads_until: _, is_led: isLed, ...rest } = row;
  return {
    ...rest,
    tableOid,
    isLed,
    source: JSON.parse(row.source) as ResolvedSource,
    columns: JSON.parse(row.columns) as readonly AttachedColumn[],
  };
}

/** The attachment of a resource; `locks` keeps it from being changed until the transaction ends. */
export function* readAttachment(
  dialect: Dialect,
  name: string,
  locks: boolean,
): Work<Attachment | undefined> {
  const [row] = yield* run<AttachmentRow>(
    once(
      dialect,
      sql`select *, coalesce(${IS_LED}, false) as is_led from ${dialect.table('attachment')} where name = ${name} ${locks ? dialect.forUpdate : sql``}`,
    ),
  );
  return row && toAttachment(row);
}

/** Names of what is installed for one attachment. */
export interface InstalledNames {
  readonly inbox: string;
  /** The type of the rows that the inbox keeps. */
  readonly rowType: string;
  /** The type of a key of several columns. */
  readonly keyType: string;
  /** Of the triggers for rows and for `TRUNCATE`. */
  readonly capture: string;
  readonly captureInsert: string;
  readonly captureUpdate: string;
  readonly captureDelete: string;
  readonly settle: string;
  /** The setting that tells whether changes of the table were captured within the client's statement. */
  readonly marker: string;
  readonly insertTrigger: string;
  readonly updateTrigger: string;
  readonly deleteTrigger: string;
  readonly rowTrigger: string;
  readonly truncateTrigger: string;
}

/** @param schema the store's; two stores may have the same table attached, so the triggers' names depend on it */
export function installedNames(schema: string, number: number): InstalledNames {
  const store = createHash('sha256').update(schema).digest('hex').slice(0, 8);
  const prefix = `rostack_${store}_${number}`;
  return {
    inbox: `inbox_${number}`,
    rowType: `row_${number}`,
    keyType: `key_${number}`,
    capture: `capture_${number}`,
    captureInsert: `capture_insert_${number}`,
    captureUpdate: `capture_update_${number}`,
    captureDelete: `capture_delete_${number}`,
    settle: `settle_${number}`,
    marker: `rostack.captured_${store}_${number}`,
    insertTrigger: `${prefix}_insert`,
    updateTrigger: `${prefix}_update`,
    deleteTrigger: `${prefix}_delete`,
    rowTrigger: `${prefix}_row`,
    truncateTrigger: `${prefix}_truncate`,
  };
}

/** Names of the functions, of whatever kind of table. */
export function functionNames(names: InstalledNames): readonly string[] {
  return [names.capture, names.captureInsert, names.captureUpdate, names.captureDelete, names.settle];
}
