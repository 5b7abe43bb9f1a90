import type { Position } from 'rostack-core';
import { run, type Work } from '../../drivers/database.ts';
import type { Dialect, Series } from '../../drivers/dialect/dialect.ts';
import type { Row } from '../../drivers/dialect/query.ts';
import { type Sql, sql } from '../../drivers/dialect/sql.ts';
import { PARTITION, partitionOf } from '../../schema/tables.ts';

/** The partitions in which versions ended that stood at a position. */
export type Partitions = Series;

/** The partitions of what ended after one position and up to another. */
export function partitionsBetween(after: Position, upTo: Position): Partitions {
  return { first: partitionOf(after + 1), last: partitionOf(upTo) };
}

export function partitionCount({ first, last }: Partitions): number {
  return last - first + 1;
}

/** Writes a select of past versions that are of the partition which the condition names. */
export type SelectOfPast = (isOfPartition: Sql) => Sql;

/** The rows that a select finds in each of the partitions, which an order and a limit of it are for. */
export function* selectByPartition(
  dialect: Dialect,
  partitions: Partitions,
  select: SelectOfPast,
): Work<readonly Row[]> {
  return yield* run(dialect.eachOf(partitions, (number) => select(sql`${PARTITION} = ${number}`)));
}
