import { createHash } from 'node:crypto';
import { aString } from 'rostack-core';
import { faultOfId } from '../../schema/resource/record-id.ts';
import { checkOption } from '../../store/options/check-option.ts';
import type { Store } from '../../store/store.ts';
import { qualified, query } from '../source/query.ts';
import { type StoreParts, storePartsOf } from '../source/store-parts.ts';

/** A row of an attached table that its resource refuses; its record stays as it was last accepted. */
export interface QuarantinedRow {
  /** Text of the record's id, as the row's key gives it. */
  readonly id: string;
  /** Why, without values of the row. */
  readonly reason: string;
  /** Milliseconds since 1970. */
  readonly sinceMs: number;
}

/** The rows of one attached table that its resource refuses now. */
export interface Quarantine {
  /** How many there are; 0 if the resource accepts every row. */
  readonly rows: number;
  /** The one that has been there longest. */
  readonly first: QuarantinedRow | undefined;
}

const ROW = 'id, reason, since_ms as "sinceMs"';

/**
 * Counts the rows of a resource's table that are in quarantine, no matter which process put them there.
 * @throws SourceUnavailableError `source_unavailable` if the database cannot be reached
 */
export async function readQuarantine(store: Store, resource: string): Promise<Quarantine> {
  const { database, table } = quarantineOf(store, resource);
  const [row] = await database.transaction(() =>
    query<QuarantinedRow & { readonly rows: number }>(
      `select ${ROW}, count(*) over () as rows from ${table} where name = $1 order by since_ms, id limit 1`,
      [resource],
    ),
  );
  if (row === undefined) return { rows: 0, first: undefined };
  const { rows, ...first } = row;
  return { rows, first };
}

/**
 * Finds a row in quarantine by its id; undefined if the row is accepted, or there is none.
 * @throws SourceUnavailableError `source_unavailable` if the database cannot be reached
 */
export async function findQuarantinedRow(
  store: Store,
  resource: string,
  id: string,
): Promise<QuarantinedRow | undefined> {
  checkOption(aString, id, 'id');
  const { database, table } = quarantineOf(store, resource);
  const [row] = await database.transaction(() =>
    query<QuarantinedRow>(`select ${ROW} from ${table} where name = $1 and id = $2`, [
      resource,
      quarantineId(id),
    ]),
  );
  return row;
}

function quarantineOf(store: Store, resource: string): StoreParts & { readonly table: string } {
  checkOption(aString, resource, 'resource');
  const parts = storePartsOf(store);
  return { ...parts, table: qualified(parts.schema, 'quarantine') };
}

/** How a row's id is stored: an index cannot hold keys of unlimited length. */
export function quarantineId(id: string): string {
  if (faultOfId(id) === undefined) return id;
  return `${id.slice(0, 64)}... ${createHash('sha256').update(id).digest('hex')}`;
}
