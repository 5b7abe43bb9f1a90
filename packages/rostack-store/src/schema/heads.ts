import { run, type Work } from '../drivers/database.ts';
import type { Dialect } from '../drivers/dialect/dialect.ts';
import { once, sql } from '../drivers/dialect/sql.ts';

/** What the database says of a resource's tables. */
export interface Head {
  readonly name: string;
  readonly number: number;
  /** As of `ResourceTables`. */
  readonly fields: string;
}

/** All resources by name, in one query: a start asks for each of a hundred. */
export function* readHeads(dialect: Dialect): Work<ReadonlyMap<string, Head>> {
  const heads = yield* run<Head>(
    once(dialect, sql`select name, number, fields from ${dialect.table('head')}`),
  );
  return new Map(heads.map((head) => [head.name, head]));
}
