import { type Change, LogHoleError, type Position } from 'rostack-core';
import type { Work } from '../drivers/database.ts';
import type { Dialect } from '../drivers/dialect.ts';
import type { StoredResource } from '../schema/stored-resource.ts';
import { type ChangeRow, changesWithin } from './changes-within.ts';
import { checkPosition, readHead, tagOf } from './read-head.ts';

/**
 * Changes after a position with the states around them: as many as were asked for, or fewer where they are large, but one at least.
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
  const { name } = target.resource;
  const expected = Math.min(limit, head.position - after);
  const { positions, rows } = yield* changesWithin(dialect, target, after, expected);
  for (let index = 0; index < expected; index += 1) {
    const position = after + 1 + index;
    if (positions[index] !== position) throw new LogHoleError(name, position);
  }
  return rows.map((row) => toChange(row, name));
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
