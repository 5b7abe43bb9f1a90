import type { Sql } from './sql.ts';

/** A step of the store's schema that one of the databases takes in a way of its own, or not at all. */
export type OwnStep = 'createAttachment' | 'leaseLeadership' | 'createRate' | 'attachOnSqlite';

/** Where the tables of a store are, and what only one of the databases has among them. */
export interface SchemaDialect {
  /** The schema with the store's tables. */
  readonly name: string;
  /** The schema of a table whose name is given without one. */
  readonly ofPlainNames: string;
  /** A select of a row where the store's tables are there. */
  readonly isThere: Sql;
  /** Keeps other processes from changing the schema until the transaction ends; undefined where a transaction that writes does. */
  readonly lock: Sql | undefined;
  /** A select of a row where the schema itself is there, and what makes it; undefined where it always is. */
  readonly creation: { readonly isThere: Sql; readonly create: Sql } | undefined;
  /** The statements of each such step, in their order; none where it is not for this database. */
  readonly steps: Readonly<Record<OwnStep, readonly Sql[]>>;
}
