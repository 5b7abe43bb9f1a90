import type { Buffer } from 'node:buffer';
import { sql } from 'kysely';
import { type Row, run, type Work } from '../database/database.ts';
import { once, type Sql } from '../database/dialect.ts';
import { type Half, indexName } from '../schema/tables.ts';
import { compareAlong } from './compare-rows.ts';
import { type Eras, eraCount, selectByEra } from './eras.ts';
import { type PageScope, scanColumns, visibleAt } from './page-scope.ts';
import { type ScannedRow, toScannedRow } from './scanned-row.ts';
import { type Walk, type WalkPlace, walkSql } from './walk.ts';

/** The rest of a walk after a place. */
export interface WalkRest {
  readonly scope: PageScope;
  readonly walk: Walk;
  readonly after: WalkPlace | undefined;
  /** Where past versions are looked for. */
  readonly eras: Eras;
  /** Which of the rows are wanted first; undefined: those that come first on the walk. */
  readonly first?: { readonly conditions: readonly Sql[]; readonly order: Sql };
}

/** Entries of an era that are looked at in any case, however many eras there are. */
const LEAST_PER_ERA = 8;

/** How many entries of each era to look at, where about so many are wanted of all. */
export function shareOf(entryCount: number, { walk, eras }: WalkRest): number {
  if (!isByEra(walk, 'past')) return entryCount;
  return Math.min(entryCount, Math.max(LEAST_PER_ERA, Math.ceil((2 * entryCount) / eraCount(eras))));
}

/** Index entries of one half, whether they stood at the position or not: as many of each era as `limit` says. */
export function* scanEntries(
  rest: WalkRest,
  half: Half,
  upTo: WalkPlace | undefined,
  limit: number,
): Work<ScannedRow[]> {
  const { scope, walk } = rest;
  const { conditions, order } = walkSql(scope.dialect, walk, rest.after, upTo);
  const until = half === 'past' ? sql`, to_position as until` : sql``;
  const columns = sql`${scanColumns(scope, half)}${until}`;
  const rows = yield* selectOf(rest, half, (isOfEra) => {
    return sql`select ${columns} from ${tableOf(rest, half)} ${where([...isOfEra, ...conditions])}
      order by ${order} limit ${scope.dialect.count(limit)}`;
  });
  return scanned(rest, rows);
}

/** Up to which place there are this many index entries or fewer, in each era; undefined when the walk ends before. */
export function* placeAfter(
  rest: WalkRest,
  half: Half,
  upTo: WalkPlace | undefined,
  entryCount: number,
): Work<WalkPlace | undefined> {
  const { scope, walk } = rest;
  const { key, conditions, order } = walkSql(scope.dialect, walk, rest.after, upTo);
  const columns = key === undefined ? sql`id` : sql`${key} as key, id`;
  const rows = yield* selectOf(rest, half, (isOfEra) => {
    return sql`select ${columns} from ${tableOf(rest, half)} ${where([...isOfEra, ...conditions])}
      order by ${order} limit 1 offset ${scope.dialect.count(entryCount - 1)}`;
  });
  const places = rows.map((row) => ({ key: row['key'] as Buffer | undefined, id: row['id'] as string }));
  return places.sort(compareAlong(walk))[0];
}

/** Rows of one half that stood at the position, between two places, through the walk's index: at most `limit` of each era. */
export function* scan(
  rest: WalkRest,
  half: Half,
  upTo: WalkPlace | undefined,
  limit: number,
  isExact: boolean,
): Work<ScannedRow[]> {
  const { scope, walk, first } = rest;
  const { conditions, order } = walkSql(scope.dialect, walk, rest.after, upTo);
  const tests = [visibleAt(half, scope.at), ...testOf(scope, isExact), ...(first?.conditions ?? [])];
  const rows = yield* selectOf(rest, half, (isOfEra) => {
    return sql`select ${scanColumns(scope, half)} from ${tableOf(rest, half)}
      ${where([...isOfEra, ...conditions, ...tests])} order by ${first?.order ?? order} limit ${scope.dialect.count(limit)}`;
  });
  return scanned(rest, rows);
}

/** Past versions between two places, found by when they ended and then sorted: there are no more than there were changes since. */
export function* scanRecent(
  rest: WalkRest,
  upTo: WalkPlace | undefined,
  limit: number,
  isExact: boolean,
): Work<ScannedRow[]> {
  const { scope, walk, first } = rest;
  const { dialect, target, at } = scope;
  const { conditions, order } = walkSql(dialect, walk, rest.after, upTo);
  const past = dialect.table(target.tables.past);
  const ended = sql`select * from ${past} ${dialect.name === 'sqlite' ? sql`not indexed` : sql``} where to_position > ${at}`;
  const tests = [
    sql`from_position <= ${at}`,
    ...conditions,
    ...testOf(scope, isExact),
    ...(first?.conditions ?? []),
  ];
  const rows = yield* run(
    once(
      dialect,
      sql`select ${scanColumns(scope, 'past')} from (${ended}) as ended
        ${where(tests)} order by ${first?.order ?? order} limit ${dialect.count(limit)}`,
    ),
  );
  return scanned(rest, rows);
}

/** Whether the index that the walk goes by on this half is in eras: those of fields on past versions are. */
export function isByEra(walk: Walk, half: Half): boolean {
  return half === 'past' && walk.field !== undefined;
}

function* selectOf(
  { scope, walk, eras }: WalkRest,
  half: Half,
  select: (isOfEra: readonly Sql[]) => Sql,
): Work<readonly Row[]> {
  const { dialect } = scope;
  return isByEra(walk, half)
    ? yield* selectByEra(dialect, eras, (isOfEra) => select([isOfEra]))
    : yield* run(once(dialect, select([])));
}

function scanned({ scope, walk }: WalkRest, rows: readonly Row[]): ScannedRow[] {
  return rows.map((row) => toScannedRow(row, scope.sortFields.length, walk));
}

function testOf({ condition }: PageScope, isExact: boolean): Sql[] {
  return isExact || condition === undefined ? [] : [condition];
}

function where(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`;
}

function tableOf({ scope: { dialect, target }, walk: { field } }: WalkRest, half: Half): Sql {
  const table = target.tables[half];
  if (field !== undefined) return dialect.tableBy(table, indexName(table, field));
  return dialect.tableBy(table, half === 'record' ? `sqlite_autoindex_${table}_1` : `${table}_id`);
}
