import { type Row, run, type Work } from '../database/database.ts';
import type { Dialect } from '../database/dialect.ts';
import type { StoredResource } from '../schema/stored-resource.ts';
import type { Standing } from './plan.ts';
import { each, orderKeyColumn, writeStatements } from './write-statements.ts';

/** Where a current version is in the database. */
export interface StoredRow {
  readonly row: unknown;
  /** Order keys as hexadecimal texts; undefined on PostgreSQL, where they are not compared. */
  readonly orderKeys: readonly unknown[] | undefined;
}

/** The current versions of the records, and where they are stored. */
export interface StoredVersions {
  readonly standing: Map<string, Standing | undefined>;
  readonly rows: ReadonlyMap<string, StoredRow>;
}

interface StandingRow extends Row, Pick<Standing, 'version' | 'body'> {
  readonly row: unknown;
  readonly id: string;
  /** A text if an application's connection returns wide integers as texts. */
  readonly position: number | string;
}

/** Reads the current versions of these records. */
export function* loadStored(
  dialect: Dialect,
  target: StoredResource,
  ids: readonly string[],
): Work<StoredVersions> {
  const standing = new Map<string, Standing | undefined>();
  const stored = new Map<string, StoredRow>();
  const rows = yield* run<StandingRow>(
    each(
      writeStatements(dialect, target).load,
      ids.map((id) => [id]),
    ),
  );
  for (const found of rows) {
    const { row, id, version, position, body } = found;
    standing.set(id, { version, position: Number(position), body, written: undefined });
    const orderKeys =
      dialect.name === 'sqlite'
        ? target.tables.fields.map((_, index) => found[orderKeyColumn(index)])
        : undefined;
    stored.set(id, { row, orderKeys });
  }
  return { standing, rows: stored };
}
