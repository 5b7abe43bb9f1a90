import { aString } from 'rostack-core';
import type { Work } from '../../drivers/database.ts';
import { textOf } from '../../drivers/dialect/sql.ts';
import { checkOption } from '../../store/options/check-option.ts';
import type { Store } from '../../store/store.ts';
import { forgetAttachment, readAttachment } from '../attachment/attachment.ts';
import type { Installer } from '../driver/installer.ts';
import { type TableLockOptions, tableLockOptions } from '../driver/table-lock-options.ts';
import { storePartsOf } from '../source/store-parts.ts';
import { tableNameOf } from '../source/table-source.ts';
import { attachDriverOf } from './attach-driver-of.ts';

/** What `detachTable` found or did. */
export interface DetachReport {
  /** Name of the resource. */
  readonly resource: string;
  /** `schema.table` that was attached; undefined if none was. */
  readonly table: string | undefined;
  /** Sentences for people: what was removed. */
  readonly did: readonly string[];
}

/**
 * Removes everything that `attachTable` installed: triggers, functions, inbox, and the attachment's state. The table is as it was before;
 * the resource keeps its records as they are. Changes that a mover has not moved yet are not in them.
 * @param resource its definition is not needed
 * @throws StoreUnavailableError `store_unavailable` if the database cannot be reached, or writers kept the table locked for too long
 */
export async function detachTable(
  store: Store,
  resource: string,
  options: TableLockOptions = {},
): Promise<DetachReport> {
  checkOption(tableLockOptions, options);
  checkOption(aString, resource, 'resource');
  const { database, schema } = storePartsOf(store);
  const forUpdate = textOf(database.dialect, database.dialect.forUpdate);
  const { installer, withTableLock } = attachDriverOf(database);
  return withTableLock(database, options, () => detach(installer, schema, forUpdate, resource));
}

function* detach(
  installer: Installer,
  schema: string,
  forUpdate: string,
  resource: string,
): Work<DetachReport> {
  const attachment = yield* readAttachment(schema, resource, forUpdate);
  if (attachment === undefined) return { resource, table: undefined, did: [] };
  const did = yield* installer.uninstall(attachment);
  yield* forgetAttachment(schema, resource);
  const table = tableNameOf(attachment.source);
  return { resource, table, did: [...did, `forgot the attachment of ${resource}`] };
}
