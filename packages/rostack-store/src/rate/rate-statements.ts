import { run, type Work } from '../drivers/database.ts';
import type { Dialect } from '../drivers/dialect/dialect.ts';
import type { ColumnType, Query } from '../drivers/dialect/query.ts';
import { once, sql, textOf } from '../drivers/dialect/sql.ts';

/** How many points a key may use in each window, and how many to lease. */
export interface RateRequest {
  /** What is limited, such as `requests`: keys of different scopes have separate budgets. */
  readonly scope: string;
  /** Who is limited, such as a principal or an address. */
  readonly key: string;
  /** The points of each window, at least 1, and its length in ms, at least 1,000. */
  readonly budget: { readonly points: number; readonly windowMs: number };
  /** How many to lease at most; 0 for none. */
  readonly points: number;
  /** Points already used without a lease; they are counted first. */
  readonly spent: number;
}

/** Points that a process may use without asking again. */
export interface RateLease {
  /** How many were leased; fewer than requested if the budget is used up. */
  readonly points: number;
  /** When the window ends, in milliseconds since 1970 by the database's clock; identifies the window. */
  readonly window: number;
  /** How long the window still lasts, in ms. */
  readonly remainingMs: number;
}

/** Leased points that were not used. */
export interface ReturnedRate {
  /** As in the request. */
  readonly scope: string;
  /** As in the request. */
  readonly key: string;
  /** How many points are returned; at least 1. */
  readonly points: number;
  /** `RateLease.window` of the lease; points of a window that has ended are ignored. */
  readonly window: number;
}

const NOW_MS = sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/** All requests lock their rows in this order, so that they cannot deadlock. */
const byKey = (
  one: { readonly scope: string; readonly key: string },
  other: { readonly scope: string; readonly key: string },
): number => (one.scope === other.scope ? (one.key < other.key ? -1 : 1) : one.scope < other.scope ? -1 : 1);

/**
 * Leases points of each key, in one statement: rows of `scope, key, points, window, "remainingMs"`. A window that ends more than two window
 * lengths from now dates from before the clock was set back, and starts again.
 */
export function lease(dialect: Dialect, requests: readonly RateRequest[]): Query {
  const types: readonly ColumnType[] = ['text', 'text', 'bigint', 'bigint', 'bigint', 'bigint'];
  const table = dialect.table('rate');
  const statement = sql`insert into ${table} as rate (scope, key, budget, window_ms, used, granted, ends_at_ms)
    select scope, key, budget, window_ms, spent + granted, granted, now_ms + window_ms
    from (
      select *, greatest(0, least(wanted, budget - spent)) as granted
      from (${dialect.rowsOf(types, 1)}) as asked (scope, key, budget, window_ms, wanted, spent)
      cross join (select ${NOW_MS} as now_ms) as clock
    ) as fresh
    on conflict (scope, key) do update set (budget, window_ms, used, granted, ends_at_ms) = (
      select excluded.budget, excluded.window_ms, present.used + share.granted, share.granted, present.ends_at_ms
      from (
        select case when is_open then rate.used else 0 end + excluded.used - excluded.granted as used,
          case when is_open then rate.ends_at_ms else excluded.ends_at_ms end as ends_at_ms
        from (
          select rate.ends_at_ms > excluded.ends_at_ms - excluded.window_ms
            and rate.ends_at_ms <= excluded.ends_at_ms + excluded.window_ms as is_open
        ) as state
      ) as present
      cross join lateral (
        select greatest(0, least(excluded.granted, excluded.budget - present.used)) as granted
      ) as share
    )
    returning scope, key, granted as points, ends_at_ms as window, ends_at_ms - ${NOW_MS} as "remainingMs"`;
  const rows = requests
    .toSorted(byKey)
    .map(({ scope, key, budget, points, spent }) => [
      scope,
      key,
      budget.points,
      budget.windowMs,
      points,
      spent,
    ]);
  return { kind: 'each', sql: textOf(dialect, statement), types, rows };
}

/** Puts points back into the windows they were leased from. */
export function giveBack(dialect: Dialect, leases: readonly ReturnedRate[]): Query {
  const types: readonly ColumnType[] = ['text', 'text', 'bigint', 'bigint'];
  const table = dialect.table('rate');
  // An update changes each row once, so what is given back to one window is added up before.
  const statement = sql`with told (given_scope, given_key, points, ended_at_ms) as (${dialect.rowsOf(types, 1)}),
    given as (
      select given_scope, given_key, ended_at_ms, sum(points)::bigint as points from told
      group by given_scope, given_key, ended_at_ms
    ),
    locked as (
      select scope, key, points from ${table} join given on scope = given_scope and key = given_key
      where ends_at_ms = ended_at_ms order by scope, key for update of rate
    )
    update ${table} as rate set used = greatest(0, rate.used - locked.points)
    from locked where rate.scope = locked.scope and rate.key = locked.key`;
  const rows = leases.map(({ scope, key, points, window }) => [scope, key, points, window]);
  return { kind: 'each', sql: textOf(dialect, statement), types, rows };
}

/** Deletes windows that have ended, except those that are just being restarted. */
export function* dropEndedRates(dialect: Dialect): Work<void> {
  const table = dialect.table('rate');
  yield* run(
    once(
      dialect,
      sql`delete from ${table} where (scope, key) in (
        select scope, key from ${table} where ends_at_ms <= ${NOW_MS} for update skip locked)`,
    ),
  );
}
