import { type Change, LogHoleError, type Position, type Transition } from 'rostack-core';
import { run, type Work } from '../database/database.ts';
import { type Dialect, once } from '../database/dialect.ts';
import { sql } from '../database/sql.ts';
import type { StoredResource } from '../schema/stored-resource.ts';
import { checkPosition, readHead } from './read-head.ts';
import { tagOf } from './version.ts';

interface ChangeRow {
  readonly position: Position;
  readonly id: string;
  readonly event_type: string | null;
  readonly transition: Transition;
  readonly version: string;
  readonly occurred_at_ms: number;
  readonly before: string | null;
  readonly after: string | null;
}

/**
 * Changes after a position with the states around them. The state before a change is the version that ends at its position, the state after
 * is the one that begins there: still current, or the first of the id to end later.
 * @param tag the tag that `after` must have; undefined means any
 * @throws PositionExpiredError if the position is below the floor, or has another tag
 * @throws LogHoleError if a position is missing
 */
export function* readChanges(
  dialect: Dialect,
  target: StoredResource,
  after: Position,
  limit: number,
  tag: string | undefined,
): Work<readonly Change[]> {
  const head = yield* readHead(dialect, target, tag === undefined ? undefined : { at: after, tag });
  if (after >= head.position) return [];
  checkPosition(after, head);
  if (limit < 1) return [];
  const { tables, resource } = target;
  // The bound on past versions is redundant, but without it PostgreSQL would merge them with the log from the very first one on.
  const rows = yield* run<ChangeRow>(
    once(
      dialect,
      sql`select l.position, l.id, l.event_type, l.transition, l.version, l.occurred_at_ms, b.body as before,
          case when l.transition = 'delete' then null else coalesce(r.body, (
            select a.body from ${dialect.table(tables.past)} as a
            where a.id = l.id and a.to_position > l.position order by a.to_position limit 1)) end as after
        from ${dialect.table(tables.log)} as l
        left join ${dialect.table(tables.past)} as b on b.to_position = l.position and b.to_position > ${after}
        left join ${dialect.table(tables.record)} as r on r.id = l.id and r.position = l.position
        where l.position > ${after} order by l.position limit ${dialect.count(limit)}`,
    ),
  );
  const expected = Math.min(limit, head.position - after);
  for (let index = 0; index < expected; index += 1) {
    const position = after + 1 + index;
    if (rows[index]?.position !== position) throw new LogHoleError(resource.name, position);
  }
  return rows.map((row) => toChange(row, resource.name));
}

function toChange(row: ChangeRow, resource: string): Change {
  return {
    position: row.position,
    tag: tagOf(row.version),
    eventId: `${resource}-${row.version}`,
    eventType: row.event_type ?? undefined,
    transition: row.transition,
    id: row.id,
    version: row.version,
    occurredAtMs: row.occurred_at_ms,
    before: row.before ?? undefined,
    after: row.after ?? undefined,
  };
}
