import { aText } from 'rostack-core';
import type { Work } from '../database/database.ts';
import { checkOption } from '../options/check-option.ts';
import type { Store } from '../store.ts';
import { forgetAttachment, readAttachment } from './attachment.ts';
import { runWithTableLock, type TableLockOptions, tableLockOptions } from './run-with-table-lock.ts';
import { postgresPartsOf } from './store-parts.ts';
import { tableNameOf } from './table-source.ts';
import { uninstall } from './uninstall.ts';

/** What `detachTable` found or did. */
export interface DetachReport {
  readonly resource: string;
  /** `schema.table` that was attached; undefined: none was. */
  readonly table: string | undefined;
  /** Sentences for people: what was removed. */
  readonly did: readonly string[];
}

/**
 * Removes everything that `attachTable` installed: triggers, function, inbox, and what was remembered. The table is as it was before;
 * the resource keeps its records as they are. Changes that a mover has not moved yet are not in them.
 * @param resource its definition is not needed
 * @throws StoreOptionsError `store_options_invalid` when the store is not PostgreSQL
 * @throws StoreUnavailableError `store_unavailable` when the database cannot be reached, or writers kept the table for too long
 */
export async function detachTable(
  store: Store,
  resource: string,
  options: TableLockOptions = {},
): Promise<DetachReport> {
  checkOption(tableLockOptions, options);
  checkOption(aText, resource, 'resource');
  const { database, schema } = postgresPartsOf(store);
  return runWithTableLock(database, options, () => detach(schema, resource));
}

function* detach(schema: string, resource: string): Work<DetachReport> {
  const attachment = yield* readAttachment(schema, resource, 'for update');
  if (attachment === undefined) return { resource, table: undefined, did: [] };
  const did = yield* uninstall(attachment);
  yield* forgetAttachment(schema, resource);
  const table = tableNameOf(attachment.source);
  return { resource, table, did: [...did, `forgot the attachment of ${resource}`] };
}
