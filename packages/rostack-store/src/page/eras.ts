import type { Position } from 'rostack-core';
import { type Query, type Row, run, type Work } from '../drivers/database.ts';
import { type Dialect, once } from '../drivers/dialect.ts';
import { type Sql, sql } from '../drivers/sql.ts';
import { ERA, eraOf } from '../schema/tables.ts';

/** The eras in which versions ended that stood at a position. */
export interface Eras {
  readonly first: number;
  readonly last: number;
}

/** The eras of what ended after one position and up to another. */
export function erasBetween(after: Position, upTo: Position): Eras {
  return { first: eraOf(after + 1), last: eraOf(upTo) };
}

export function eraCount({ first, last }: Eras): number {
  return last - first + 1;
}

/** Writes a select of past versions that are of the eras which the condition names. */
export type SelectOfPast = (isOfEra: Sql) => Sql;

/** The rows that a select finds in each of the eras, which an order and a limit of it are for. */
export function* selectByEra(dialect: Dialect, eras: Eras, select: SelectOfPast): Work<readonly Row[]> {
  return yield* run(
    dialect.name === 'sqlite'
      ? forEachEra(dialect, eras, select)
      : once(dialect, sql`select part.* from ${eachEra(eras, select)}`),
  );
}

/** Stands for the era in the statement that runs for each. */
const ANY_ERA = Symbol('era');

function forEachEra(dialect: Dialect, eras: Eras, select: SelectOfPast): Query {
  const { sql: text, parameters } = once(dialect, select(sql`${ERA} = ${dialect.equal(ANY_ERA)}`));
  const rows = numbersOf(eras).map((era) => parameters.map((value) => (value === ANY_ERA ? era : value)));
  return { kind: 'each', sql: text, types: [], rows };
}

/** One query for all eras, each of which PostgreSQL finds by a scan of the index of its own. */
function eachEra({ first, last }: Eras, select: SelectOfPast): Sql {
  const eras = sql`generate_series(${first}::bigint, ${last}::bigint) as eras (era)`;
  return sql`${eras} cross join lateral (${select(sql`${ERA} = eras.era`)}) as part`;
}

function numbersOf(eras: Eras): number[] {
  return Array.from({ length: eraCount(eras) }, (_, index) => eras.first + index);
}
