import type { Sql } from './sql.ts';

/** A step of the store's schema that differs between the databases, or exists on only one of them. */
export type OwnStep = 'createAttachment' | 'leaseLeadership' | 'createRate' | 'attachOnSqlite';

/** Where the tables of a store are, and how their schema differs between the databases. */
export interface SchemaDialect {
  /** The schema with the store's tables. */
  readonly name: string;
  /** The schema in which unqualified table names are resolved. */
  readonly ofPlainNames: string;
  /** A select that returns a row if the store's tables exist. */
  readonly isThere: Sql;
  /** Keeps other processes from changing the schema until the transaction ends; undefined if any transaction that writes does. */
  readonly lock: Sql | undefined;
  /** A select that returns a row if the schema itself exists, and the statement that creates it; undefined if it always exists. */
  readonly creation: { readonly isThere: Sql; readonly create: Sql } | undefined;
  /** The statements of each such step, in order; none if the step is not for this database. */
  readonly steps: Readonly<Record<OwnStep, readonly Sql[]>>;
}
