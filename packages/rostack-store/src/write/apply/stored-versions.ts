import { receive, send, type Work } from '../../drivers/database.ts';
import type { Dialect } from '../../drivers/dialect/dialect.ts';
import type { Row } from '../../drivers/dialect/query.ts';
import type { StoredResource } from '../../schema/stored-resource.ts';
import type { Standing } from './plan.ts';
import { each, orderKeyColumn, writeStatements } from './write-statements.ts';

/** Where a current version is in the database. */
export interface StoredRow {
  readonly row: unknown;
  /** Order keys as hexadecimal texts; undefined where they are not compared. */
  readonly orderKeys: readonly unknown[] | undefined;
}

/** The current versions of the records, and where they are stored. */
export interface StoredVersions {
  readonly standing: Map<string, Standing | undefined>;
  readonly rows: ReadonlyMap<string, StoredRow>;
}

interface StandingRow extends Row, Pick<Standing, 'version'> {
  readonly row: unknown;
  readonly id: string;
  /** A text or a bigint if an application's connection returns wide integers as such. */
  readonly position: number | bigint | string;
  readonly bytes: number | bigint | string;
  readonly body: string | null;
}

/**
 * Reads the current versions of these records. Bodies are compared with the new ones, so larger ones are not read: a small batch may
 * replace large records. Returns the work that waits for the rows.
 * @param wanted by id, the most bytes of a new body
 */
export function* loadStored(
  dialect: Dialect,
  target: StoredResource,
  wanted: ReadonlyMap<string, number>,
): Work<() => Work<StoredVersions>> {
  const reading = yield* send(each(writeStatements(dialect, target).load, [...wanted]));
  return function* () {
    return storedVersions(dialect, target, yield* receive<StandingRow>(reading));
  };
}

function storedVersions(
  dialect: Dialect,
  target: StoredResource,
  rows: readonly StandingRow[],
): StoredVersions {
  const standing = new Map<string, Standing | undefined>();
  const stored = new Map<string, StoredRow>();
  for (const found of rows) {
    const { row, id, version, position, bytes, body } = found;
    standing.set(id, {
      version,
      position: Number(position),
      bytes: Number(bytes),
      body: body ?? undefined,
      written: undefined,
    });
    const orderKeys =
      dialect.writes.comparable && target.tables.fields.map((_, index) => found[orderKeyColumn(index)]);
    stored.set(id, { row, orderKeys });
  }
  return { standing, rows: stored };
}

/** The result of `loadStored` if none of the records exists. */
export function noneStored(): StoredVersions {
  return { standing: new Map(), rows: new Map() };
}
