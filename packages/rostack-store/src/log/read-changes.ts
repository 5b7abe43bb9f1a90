import { type Change, LogHoleError, type Position, type Transition } from 'rostack-core';
import { run, type Work } from '../drivers/database.ts';
import type { Dialect } from '../drivers/dialect/dialect.ts';
import { once, type Sql, sql } from '../drivers/dialect/sql.ts';
import type { StoredResource } from '../schema/stored-resource.ts';
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

/** A change in the form in which it is read. @param resource its name */
export function toChange(row: ChangeRow, resource: string): Change {
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

/** Most bytes of states in one read of the log, unless it is a single change. */
const READ_BYTES = 4 * 1_048_576;

/** For so few changes, which is the usual case, reading their sizes first takes longer than reading them. */
const FEW_CHANGES = 4;

/** A change with the states around it. */
export interface ChangeRow {
  readonly position: Position;
  readonly id: string;
  readonly event_type: string | null;
  readonly transition: Transition;
  readonly version: string;
  readonly occurred_at_ms: number;
  readonly before: string | null;
  readonly after: string | null;
}

/** The result of `changesWithin`. */
export interface ChangesWithin {
  /** Positions of all the changes, including those left out because of their size. */
  readonly positions: readonly Position[];
  readonly rows: readonly ChangeRow[];
}

interface Sized {
  readonly position: Position;
  /** Total bytes of the states of this change and of those before it. */
  readonly total: number;
}

/** Reads the first changes after a position, up to the limit of bytes for their states, but at least one. */
export function changesWithin(
  dialect: Dialect,
  target: StoredResource,
  after: Position,
  limit: number,
): Work<ChangesWithin> {
  if (!dialect.planner.copiesWindowRows) return changesWithSizes(dialect, target, after, limit);
  return limit <= FEW_CHANGES
    ? fewChanges(dialect, target, after, limit)
    : changesBySize(dialect, target, after, limit);
}

function* fewChanges(
  dialect: Dialect,
  target: StoredResource,
  after: Position,
  limit: number,
): Work<ChangesWithin> {
  const rows = yield* run<ChangeRow>(once(dialect, changes(dialect, target, after, limit)));
  return { positions: positionsOf(rows), rows };
}

/** The sizes are read first, because computing sums of them would copy the states next to them. */
function* changesBySize(
  dialect: Dialect,
  target: StoredResource,
  after: Position,
  limit: number,
): Work<ChangesWithin> {
  const sizes = changes(dialect, target, after, limit, (body) => sql`octet_length(${body})`);
  const sized = sql`select position, ${sumOf(sql`before`, sql`after`)} as total from (${sizes})`;
  const found = yield* run<Sized>(once(dialect, sized));
  const whole = changes(dialect, target, after, found.filter((each) => isWithin(each, after)).length);
  return { positions: positionsOf(found), rows: yield* run<ChangeRow>(once(dialect, whole)) };
}

function* changesWithSizes(
  dialect: Dialect,
  target: StoredResource,
  after: Position,
  limit: number,
): Work<ChangesWithin> {
  const total = sumOf(sql`octet_length(before)`, sql`octet_length(after)`);
  const isRead = sql`total <= ${sql.lit(READ_BYTES)} or position = ${after + 1}`;
  const found = yield* run<ChangeRow & Sized>(
    once(
      dialect,
      sql`select position, id, event_type, transition, version, occurred_at_ms, total,
          case when ${isRead} then before end as before, case when ${isRead} then after end as after
        from (select *, ${total} as total from (${changes(dialect, target, after, limit)}) as change) as change
        order by position`,
    ),
  );
  return { positions: positionsOf(found), rows: found.filter((each) => isWithin(each, after)) };
}

function isWithin({ position, total }: Sized, after: Position): boolean {
  return position === after + 1 || total <= READ_BYTES;
}

function positionsOf(found: readonly { readonly position: Position }[]): Position[] {
  return found.map(({ position }) => position);
}

function sumOf(before: Sql, after: Sql): Sql {
  return sql`sum(coalesce(${before}, 0) + coalesce(${after}, 0)) over (order by position rows unbounded preceding)`;
}

/**
 * The state before a change is the version that ends at its position, the state after is the one that begins there: still current, or the
 * first of the id to end later. @param of the columns to read of a state
 */
function changes(
  dialect: Dialect,
  { tables }: StoredResource,
  after: Position,
  limit: number,
  of = (body: Sql): Sql => body,
): Sql {
  // The bound on past versions is redundant, but without it PostgreSQL would merge them with the log from the very first one on.
  return sql`select l.position, l.id, l.event_type, l.transition, l.version, l.occurred_at_ms, ${of(sql`b.body`)} as before,
      case when l.transition = 'delete' then null else coalesce(${of(sql`r.body`)}, (
        select ${of(sql`a.body`)} from ${dialect.table(tables.past)} as a
        where a.id = l.id and a.to_position > l.position order by a.to_position limit 1)) end as after
    from ${dialect.table(tables.log)} as l
    left join ${dialect.table(tables.past)} as b on b.to_position = l.position and b.to_position > ${after}
    left join ${dialect.table(tables.record)} as r on r.id = l.id and r.position = l.position
    where l.position > ${after} order by l.position limit ${dialect.count(limit)}`;
}
