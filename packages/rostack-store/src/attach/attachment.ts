import { run, type Work } from '../database/database.ts';
import { type Dialect, once } from '../database/dialect.ts';
import { sql } from '../database/sql.ts';
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
  /** Moves when something was done to the columns or triggers, also when it was undone. */
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
