import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { run, type Work } from '../database/database.ts';
import { type Dialect, once } from '../database/dialect.ts';
import type { ColumnKind, TypeFacts } from './column-type.ts';
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
  /** The key comes first. */
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
  readonly phase: Phase;
  readonly place: string | null;
}

export function toAttachment(row: AttachmentRow): Attachment {
  const { table_oid: tableOid, ...rest } = row;
  return {
    ...rest,
    tableOid,
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
      sql`select * from ${dialect.table('attachment')} where name = ${name} ${locks ? dialect.forUpdate : sql``}`,
    ),
  );
  return row && toAttachment(row);
}

/** Names of what is installed for one attachment. */
export interface InstalledNames {
  readonly inbox: string;
  readonly capture: string;
  readonly rowTrigger: string;
  readonly truncateTrigger: string;
}

/** @param schema the store's; two stores may have the same table attached, so the triggers' names depend on it */
export function installedNames(schema: string, number: number): InstalledNames {
  const store = createHash('sha256').update(schema).digest('hex').slice(0, 8);
  return {
    inbox: `inbox_${number}`,
    capture: `capture_${number}`,
    rowTrigger: `rostack_${store}_${number}_row`,
    truncateTrigger: `rostack_${store}_${number}_truncate`,
  };
}
