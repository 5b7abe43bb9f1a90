import type { Position } from 'rostack-core';
import { run, type Work } from '../../drivers/database.ts';
import type { Dialect, Series } from '../../drivers/dialect/dialect.ts';
import type { Row } from '../../drivers/dialect/query.ts';
import { type Sql, sql } from '../../drivers/dialect/sql.ts';
import { PARTITION, partitionOf } from '../../schema/tables.ts';

/** The partitions of past versions that were current at a position; a version's partition depends on where it ended. */
export type Partitions = Series;

/** The partitions of versions that ended after one position and up to another. */
export function partitionsBetween(after: Position, upTo: Position): Partitions {
  return { first: partitionOf(after + 1), last: partitionOf(upTo) };
}

export function partitionCount({ first, last }: Partitions): number {
  return last - first + 1;
}

/** Builds a select of past versions in the partition that the condition names. */
export type SelectOfPast = (isOfPartition: Sql) => Sql;

/** The rows that a select finds in each partition; its order and limit apply per partition. */
export function* selectByPartition(
  dialect: Dialect,
  partitions: Partitions,
  select: SelectOfPast,
): Work<readonly Row[]> {
  return yield* run(dialect.eachOf(partitions, (number) => select(sql`${PARTITION} = ${number}`)));
}
