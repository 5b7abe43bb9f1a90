import { type Installation, qualified } from './installation.ts';

/**
 * Kinds of rows: `w` written, `t` truncated, `e` something that could not be captured. A row of kind `w` tells of `size` rows of the
 * table: ids that no row has any more, and images of rows as they are.
 * The number is taken while the writer holds the locks of the changed rows, so it ascends for each row in commit order; over several
 * rows it does not. A vacuum that truncates would make writers wait.
 */
export function inboxSql(installation: InboxOwner): readonly string[] {
  const inbox = inboxOf(installation);
  return [
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
  ];
}

type InboxOwner = Pick<Installation, 'schema' | 'names'>;

export function inboxOf({ schema, names }: InboxOwner): string {
  return qualified(schema, names.inbox);
}

/** A select of the ids of rows that the inbox tells of; to be joined: for `in` the server may go through all of them for each row. */
export function waitingIds(owner: InboxOwner): string {
  return `select distinct u.id from ${inboxOf(owner)} i, pg_catalog.unnest(i.rows[:][1:1]) u (id)`;
}
