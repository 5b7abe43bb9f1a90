import { PostgresDatabase } from '../drivers/postgres/database.ts';
import type { StoredResource } from '../schema/stored-resource.ts';
import type { Attachment } from './attachment.ts';
import type { RowMapping } from './column-mapping.ts';
import { IMAGE_SETTINGS } from './row-image.ts';
import type { StoreParts } from './store-parts.ts';

/** What is needed to move rows of one attached table. */
export interface AttachedResource {
  readonly parts: StoreParts;
  readonly target: StoredResource;
  /** The attachment as the leader took it over, with the leader's term. */
  readonly attachment: Attachment;
  readonly mapping: RowMapping;
}

/** Runs a read of the leader on PostgreSQL in its own transaction: a process that hangs holds no lock that applications wait for. @param settings as `database.queryWith` takes them */
export function read<T extends object>(
  { parts }: AttachedResource,
  text: string,
  parameters: readonly unknown[] = [],
  settings: readonly string[] = [],
): Promise<readonly T[]> {
  const { database } = parts;
  if (!(database instanceof PostgresDatabase)) throw new TypeError('the database is not PostgreSQL');
  return database.queryWith<T>({ kind: 'once', sql: text, parameters }, [...IMAGE_SETTINGS, ...settings]);
}
