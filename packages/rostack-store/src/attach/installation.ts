import { createHash } from 'node:crypto';
import type { AttachedTable } from './attachment.ts';
import { qualified } from './query.ts';

/** Names of the objects that are installed for one attachment. */
export interface InstalledNames {
  /** With its schema. */
  readonly inbox: string;
  /** The function for rows and for `TRUNCATE`; the names of the others begin with it. */
  readonly capture: string;
  /** The setting that shows whether changes of the table were captured within the client's statement. */
  readonly marker: string;
  /** Prefix of the triggers' names. It depends on the store's schema, because two stores may have the same table attached. */
  readonly triggers: string;
}

export function installedNames({ schema, number }: Pick<AttachedTable, 'schema' | 'number'>): InstalledNames {
  const store = createHash('sha256').update(schema).digest('hex').slice(0, 8);
  return {
    inbox: qualified(schema, `inbox_${number}`),
    capture: `capture_${number}`,
    marker: `rostack.captured_${store}_${number}`,
    triggers: `rostack_${number}_${store}_`,
  };
}

/** Something that is created in the database for an attachment. */
export interface InstalledObject {
  /** As `comment on` names it: `function "rostack"."capture_1"()`. */
  readonly name: string;
  /** The statements that create it. */
  readonly create: readonly string[];
  /** The body, if it is a function. */
  readonly body?: string;
}

/**
 * Kinds of rows: `w` written, `t` truncated, `e` something that could not be captured. A row of kind `w` is about `size` rows of the table:
 * ids that no row has any more, and images of changed rows. The number is taken while the writer holds the locks of the changed rows, so
 * for each single row the numbers ascend in commit order; across rows they do not. Vacuum must not truncate the inbox, because that would
 * make writers wait.
 */
export function inboxObject(table: AttachedTable): InstalledObject {
  const { inbox } = installedNames(table);
  return {
    name: `table ${inbox}`,
    create: [
      `create table ${inbox} (
        number bigint generated always as identity primary key,
        xid xid8 not null default pg_catalog.pg_current_xact_id(),
        kind "char" not null,
        size int not null,
        gone text[],
        rows text[]
      ) with (toast_tuple_target = 8160, vacuum_truncate = false, toast.vacuum_truncate = false, autovacuum_vacuum_scale_factor = 0,
        autovacuum_vacuum_threshold = 10000, autovacuum_vacuum_insert_threshold = -1, autovacuum_analyze_scale_factor = 0,
        autovacuum_analyze_threshold = 100000)`,
      `alter table ${inbox} alter gone set storage external, alter rows set storage external`,
      `revoke all on ${inbox} from public`,
    ],
  };
}
