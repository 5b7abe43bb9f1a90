import { sql } from 'kysely';
import type { Work } from '../database/database.ts';
import type { Sql } from '../database/dialect.ts';
import { headFor } from '../log/read-head.ts';
import { orderColumn } from '../schema/tables.ts';
import { compareSorted } from './compare-rows.ts';
import { erasBetween } from './eras.ts';
import type { PageScope } from './page-scope.ts';
import type { SortPlace } from './scanned-row.ts';
import type { Walk, WalkPlace } from './walk.ts';
import { placeAfter, scan, scanRecent, shareOf, type WalkRest } from './walk-scans.ts';
import type { WalkStep } from './walk-step.ts';

/**
 * Looks through the next piece of a walk for the rows that come first in the order of the page: the database puts them in order, so
 * that at most `limit` rows come here from a piece of any length.
 * @param beyond the place in the page's order after which rows are wanted
 * @throws PositionExpiredError when the page's position lies below the floor, or is of another history
 */
export function* groupStep(
  scope: PageScope,
  walk: Walk,
  after: WalkPlace | undefined,
  beyond: SortPlace | undefined,
  limit: number,
  sliceRows: number,
): Work<WalkStep> {
  const head = yield* headFor(scope.dialect, scope.target, scope);
  const isRecent = head.position - scope.at <= scope.limits.fewChanges;
  const first = {
    conditions: beyond === undefined ? [] : [beyondSql(scope, beyond)],
    order: orderSql(scope),
  };
  const rest: WalkRest = { scope, walk, after, first, eras: erasBetween(scope.at, head.position) };
  const isExact = scope.condition === undefined;
  const recordEnd = yield* placeAfter(rest, 'record', undefined, sliceRows);
  if (scope.at === head.position) {
    return { rows: yield* scan(rest, 'record', recordEnd, limit, isExact), reached: recordEnd };
  }
  const pastEnd = isRecent ? undefined : yield* placeAfter(rest, 'past', recordEnd, shareOf(sliceRows, rest));
  const end = pastEnd ?? recordEnd;
  const current = yield* scan(rest, 'record', end, limit, isExact);
  const past = isRecent
    ? yield* scanRecent(rest, end, limit, isExact)
    : yield* scan(rest, 'past', end, limit, isExact);
  const compare = compareSorted(scope.sort.map(({ descending }) => descending));
  return { rows: [...current, ...past].sort(compare).slice(0, limit), reached: end };
}

/** The order of the page. @see compareSorted, which is the same in process */
function orderSql({ sort, sortFields }: PageScope): Sql {
  const keys = sortFields.map((field, index) => {
    const column = sql.ref(orderColumn(field));
    return sort[index]?.descending === true ? sql`${column} desc` : column;
  });
  return sql.join([...keys, sql`id`]);
}

/** Whether a row comes after the place in the order of the page. */
function beyondSql({ sort, sortFields }: PageScope, { sortKeys, id }: SortPlace): Sql {
  let condition: Sql = sql`id > ${id}`;
  for (let index = sortFields.length - 1; index >= 0; index -= 1) {
    const field = sortFields[index];
    const key = sortKeys[index];
    if (field === undefined || key === undefined) continue;
    const column = sql.ref(orderColumn(field));
    const beyond = sort[index]?.descending === true ? sql`<` : sql`>`;
    condition = sql`(${column} ${beyond} ${key} or ${column} = ${key} and ${condition})`;
  }
  return condition;
}
