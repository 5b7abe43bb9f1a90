import { PostgresDatabase } from '../database/postgres-database.ts';
import type { StoredResource } from '../schema/stored-resource.ts';
import type { Attachment } from './attachment.ts';
import type { RowMapping } from './column-mapping.ts';
import { IMAGE_SETTINGS } from './row-image.ts';
import type { StoreParts } from './store-parts.ts';

/** What moving rows of one attached table takes. */
export interface AttachedResource {
  readonly parts: StoreParts;
  readonly target: StoredResource;
  /** As the leader took it over; its term is the leader's. */
  readonly attachment: Attachment;
  readonly mapping: RowMapping;
}

/** Runs a read of the leader on PostgreSQL as a transaction of its own: a process that hangs here holds no lock that an application could wait for. */
export function read<T extends object>(
  { parts }: AttachedResource,
  text: string,
  parameters: readonly unknown[] = [],
): Promise<readonly T[]> {
  const { database } = parts;
  if (!(database instanceof PostgresDatabase)) throw new TypeError('the database is not PostgreSQL');
  return database.query<T>({ kind: 'once', sql: text, parameters }, IMAGE_SETTINGS);
}
