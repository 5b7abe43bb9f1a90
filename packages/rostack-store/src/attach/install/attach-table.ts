import type { Work } from '../../drivers/database.ts';
import { textOf } from '../../drivers/dialect/sql.ts';
import { AttachRefusedError } from '../../errors/index.ts';
import type { StoredResource } from '../../schema/stored-resource.ts';
import { checkOption } from '../../store/options/check-option.ts';
import type { Store } from '../../store/store.ts';
import {
  type AttachedTable,
  type Attachment,
  readAttachment,
  writeAttachment,
} from '../attachment/attachment.ts';
import type { InstalledObject } from '../attachment/installation.ts';
import { describeChange, isOfOtherRelease } from '../attachment/layout.ts';
import type { Installer } from '../driver/installer.ts';
import { type TableLockOptions, tableLockOptions } from '../driver/table-lock-options.ts';
import { rowMapping, schemaFaults } from '../row/column-mapping.ts';
import { storePartsFor } from '../source/store-parts.ts';
import { type ResolvedSource, resolveSource, type TableSource, tableNameOf } from '../source/table-source.ts';
import { attachDriverOf } from './attach-driver-of.ts';

/** What `attachTable` found or did. */
export interface AttachReport {
  /** Name of the resource. */
  readonly resource: string;
  /** `schema.table`. */
  readonly table: string;
  /** `unchanged`: everything was already in place. After the other outcomes a mover reads the whole table. */
  readonly outcome: 'attached' | 'changed' | 'unchanged';
  /** Sentences for people: what was created, what was removed and why. */
  readonly did: readonly string[];
  /** The columns, and the members of the record that they become. */
  readonly columns: readonly { readonly column: string; readonly type: string; readonly member: string }[];
}

/**
 * Makes a table the source of a resource: installs triggers that put every changed row into an inbox, in the writer's own transaction. From
 * then on a mover (`startMover`) keeps the resource equal to the table; records without a row are deleted. Attaching again changes nothing,
 * or brings what is installed up to date with the source and the table. Writers wait for the moment in which the triggers are created; if
 * the table's lock is not free, it is given up and tried again.
 * @throws AttachRefusedError `attach_refused` if the table, its key, a column or the resource's schema does not fit
 * @throws StoreOptionsError `store_options_invalid` if the store was not opened with the resource
 * @throws StoreUnavailableError `store_unavailable` if the database cannot be reached, or writers kept the table locked for too long
 */
export async function attachTable(
  store: Store,
  resource: string,
  source: TableSource,
  options: TableLockOptions = {},
): Promise<AttachReport> {
  checkOption(tableLockOptions, options);
  const { database, schema, target } = storePartsFor(store, resource);
  const resolved = resolveSource(source, target.resource, database.dialect.schema.ofPlainNames);
  const forUpdate = textOf(database.dialect, database.dialect.forUpdate);
  const { installer, withTableLock } = attachDriverOf(database);
  return withTableLock(database, options, () => attach(installer, schema, forUpdate, target, resolved));
}

function* attach(
  installer: Installer,
  schema: string,
  forUpdate: string,
  { resource, tables }: StoredResource,
  source: ResolvedSource,
): Work<AttachReport> {
  const { name, schema: records } = resource;
  yield* installer.lock(schema);
  const present = yield* readAttachment(schema, name, forUpdate);
  const { objects: objectsOf, ...inspected } = yield* installer.inspect(source, true);
  const faults = schemaFaults(inspected, records);
  if (faults.length > 0) throw new AttachRefusedError(`${name}: ${faults.join('; ')}`);
  const table: AttachedTable = { schema, number: tables.number, ...inspected };
  const objects = objectsOf(table);
  const report = {
    resource: name,
    table: tableNameOf(source),
    columns: [
      ...table.key.map(({ column, type }) => ({ column, type, member: source.keyMember })),
      ...table.columns.map(({ column, type, member }) => ({ column, type, member })),
    ],
  };
  const reasons = present === undefined ? [] : yield* differences(installer, present, table, objects);
  if (present !== undefined && reasons.length === 0) return { ...report, outcome: 'unchanged', did: [] };
  const removed = present === undefined ? [] : yield* installer.uninstall(table);
  yield* installer.install(objects, report.table);
  const made = objects.map((object) => `created the ${object.name}`);
  const { layout, stamp } = yield* installer.look(table);
  if (layout === null) throw new TypeError('a table that was just inspected is gone');
  const mapping = rowMapping(table, records).digest;
  yield* writeAttachment(name, table, { layout, stamp, mapping }, present?.term ?? 0);
  const outcome = present === undefined ? 'attached' : 'changed';
  return { ...report, outcome, did: [...reasons, ...removed, ...made] };
}

/** Why the installed objects are no longer right. */
function* differences(
  installer: Installer,
  present: Attachment,
  table: AttachedTable,
  objects: readonly InstalledObject[],
): Work<string[]> {
  const isOther = 'the installed objects were of another release, or incomplete';
  if (isOfOtherRelease(present.layout, installer.form)) return [isOther];
  const look = yield* installer.look(present);
  const change = describeChange(present.layout, look.layout);
  const isComplete = yield* installer.isComplete(table, objects);
  const differ = (select: (of: AttachedTable) => unknown) =>
    JSON.stringify(select(present)) !== JSON.stringify(select(table));
  return [
    differ(({ source, tableOid }) => [source, tableOid])
      ? [`before, ${tableNameOf(present.source)} was attached in another way`]
      : [],
    change ?? (differ(({ key, columns }) => [key, columns]) ? 'the columns have changed' : []),
    isComplete ? [] : isOther,
  ].flat();
}
