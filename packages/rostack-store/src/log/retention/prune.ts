import type { Position } from 'rostack-core';
import { run, type Work } from '../../drivers/database.ts';
import type { Dialect } from '../../drivers/dialect/dialect.ts';
import { once, sql } from '../../drivers/dialect/sql.ts';
import type { StoredResource } from '../../schema/stored-resource.ts';
import { MAX_WAITED_MS } from './max-waited.ts';

/** The most changes dropped per transaction; this takes a few milliseconds, so that writers and readers get their turn. */
const MAX_DROPPED = 500;

/** How much of a resource's log is kept. */
export interface Retention {
  readonly maxAgeMs: number;
  readonly maxChanges: number;
  readonly maxBytes: number;
}

interface Entry {
  readonly position: Position;
  readonly occurred_at_ms: number;
  readonly closed_bytes: number;
}

/**
 * Drops the oldest changes that exceed a limit, a few at a time, and raises the floor in the same transaction. A past version is dropped
 * with the change that ended it: nothing at or above the floor needs it. The change at the floor itself stays in the log, so that positions
 * of returning readers can be compared with it. Returns how many changes were dropped.
 */
export function* prune(
  dialect: Dialect,
  { tables }: StoredResource,
  retention: Retention,
  nowMs: number,
): Work<number> {
  const head = dialect.table('head');
  const [row] = yield* run<{ name: string; position: Position; floor: Position; closed_bytes: number }>(
    once(
      dialect,
      sql`select name, position, floor, closed_bytes from ${head} where number = ${tables.number} ${dialect.forUpdate}`,
    ),
  );
  if (row === undefined) return 0;
  const attached = yield* run(
    once(dialect, sql`select 1 from ${dialect.table('attachment')} where name = ${row.name}`),
  );
  const maxAgeMs = retention.maxAgeMs + (attached.length > 0 ? MAX_WAITED_MS : 0);
  const entries = yield* run<Entry>(
    once(
      dialect,
      sql`select position, occurred_at_ms, closed_bytes from ${dialect.table(tables.log)}
        where position > ${row.floor} order by position limit ${dialect.count(MAX_DROPPED)}`,
    ),
  );
  let { floor, closed_bytes: closedBytes } = row;
  for (const entry of entries) {
    const isOld = entry.occurred_at_ms < nowMs - maxAgeMs;
    const isExcess = row.position - floor > retention.maxChanges || closedBytes > retention.maxBytes;
    if (!isOld && !isExcess) break;
    floor = entry.position;
    closedBytes -= entry.closed_bytes;
  }
  if (floor === row.floor) return 0;
  // Nothing is left below the previous floor, but the condition helps PostgreSQL: with old statistics it would scan the whole table.
  const dropped = [
    sql`delete from ${dialect.table(tables.log)} where position >= ${row.floor} and position < ${floor}`,
    sql`delete from ${dialect.table(tables.past)} where to_position > ${row.floor} and to_position <= ${floor}`,
    sql`update ${head} set floor = ${floor}, closed_bytes = ${closedBytes} where number = ${tables.number}`,
  ];
  for (const statement of dropped) yield* run(once(dialect, statement));
  return floor - row.floor;
}
