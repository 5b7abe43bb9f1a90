import type { AttachedTable } from '../../attachment/attachment.ts';
import { type InstalledObject, installedNames } from '../../attachment/installation.ts';

/**
 * Kinds of notes: `w` written, `t` truncated, `e` an event that could not be captured. A note of kind `w` has the ids of `size` changed
 * rows of the table; the rows themselves are read when they are moved. So the order of notes does not matter, the time only serves to move
 * older notes first, and no constraint of ours can block a writer. The mark distinguishes notes. If the database publishes all its tables,
 * notes can be deleted only with a replica identity. Vacuum must not truncate the inbox, because that would make writers wait.
 */
export function inboxObject(table: AttachedTable): InstalledObject {
  const { inbox } = installedNames(table);
  return {
    name: `table ${inbox}`,
    create: [
      `create table ${inbox} (
        noted timestamptz default pg_catalog.clock_timestamp(),
        mark uuid default pg_catalog.gen_random_uuid(),
        kind "char",
        size int,
        ids text[]
      ) with (toast_tuple_target = 8160, vacuum_truncate = false, toast.vacuum_truncate = false, autovacuum_vacuum_scale_factor = 0,
        autovacuum_vacuum_threshold = 10000, autovacuum_vacuum_insert_threshold = -1, autovacuum_analyze_scale_factor = 0,
        autovacuum_analyze_threshold = 100000)`,
      `create index on ${inbox} (noted)`,
      `alter table ${inbox} alter ids set storage external, replica identity full`,
      `revoke all on ${inbox} from public`,
    ],
  };
}

/**
 * Whether the leader sleeps. It is a sequence, because a write to it takes effect at once, also for transactions with an older snapshot,
 * and locks nothing.
 */
export function asleepObject(table: AttachedTable): InstalledObject {
  const { asleep } = installedNames(table);
  return {
    name: `sequence ${asleep}`,
    create: [
      `create sequence ${asleep} as smallint minvalue 0 maxvalue 1 start 0`,
      `revoke all on ${asleep} from public`,
    ],
  };
}
