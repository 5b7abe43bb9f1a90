import { escapeLiteral } from 'pg';
import type { Work } from '../database/database.ts';
import { AttachRefusedError } from '../errors/index.ts';
import { checkOption } from '../options/check-option.ts';
import type { StoredResource } from '../schema/stored-resource.ts';
import type { Store } from '../store.ts';
import { type AttachedTable, type Attachment, readAttachment, writeAttachment } from './attachment.ts';
import { captureObjects } from './capture.ts';
import { rowMapping, schemaFaults } from './column-mapping.ts';
import { inspectTable } from './inspect-table.ts';
import { type InstalledObject, inboxObject, installedNames } from './installation.ts';
import { describeChange, isOfOtherRelease, type LayoutLook, layoutQuery } from './layout.ts';
import { query } from './query.ts';
import { runWithTableLock, type TableLockOptions, tableLockOptions } from './run-with-table-lock.ts';
import { storePartsFor } from './store-parts.ts';
import { type ResolvedSource, resolveSource, type TableSource, tableNameOf } from './table-source.ts';
import { uninstall } from './uninstall.ts';

/** What `attachTable` found or did. */
export interface AttachReport {
  readonly resource: string;
  /** `schema.table`. */
  readonly table: string;
  /** `unchanged`: everything stood already. After the others a mover reads the whole table. */
  readonly outcome: 'attached' | 'changed' | 'unchanged';
  /** Sentences for people: what was made, what was removed and why. */
  readonly did: readonly string[];
  /** The columns, and the members of the record that they become. */
  readonly columns: readonly { readonly column: string; readonly type: string; readonly member: string }[];
}

/**
 * Makes a table the source of a resource: installs triggers that put every changed row into an inbox, in the writer's own
 * transaction. From then on a mover (`startMover`) keeps the resource equal to the table; records without a row are deleted.
 * Doing it again changes nothing, or brings what is installed up to date with the source and the table. Writers wait for the moment
 * in which the triggers are made; when the table does not come free, it is let go and tried again.
 * @throws AttachRefusedError `attach_refused` when the table, its key, a column or the resource's schema does not fit
 * @throws StoreOptionsError `store_options_invalid` when the store was not opened with the resource, or is not PostgreSQL
 * @throws StoreUnavailableError `store_unavailable` when the database cannot be reached, or writers kept the table for too long
 */
export async function attachTable(
  store: Store,
  resource: string,
  source: TableSource,
  options: TableLockOptions = {},
): Promise<AttachReport> {
  checkOption(tableLockOptions, options);
  const { database, schema, target } = storePartsFor(store, resource);
  const resolved = resolveSource(source, target.resource);
  return runWithTableLock(database, options, () => attach(schema, target, resolved));
}

function* attach(
  schema: string,
  { resource, tables }: StoredResource,
  source: ResolvedSource,
): Work<AttachReport> {
  const { name, schema: records } = resource;
  yield* query(`select pg_advisory_xact_lock(hashtextextended($1, 0))`, [`rostack-store attach ${schema}`]);
  const present = yield* readAttachment(schema, name, 'for update');
  const { isChild, ...inspected } = yield* inspectTable(source);
  const faults = schemaFaults(inspected, records);
  if (faults.length > 0) throw new AttachRefusedError(`${name}: ${faults.join('; ')}`);
  const table: AttachedTable = { schema, number: tables.number, ...inspected };
  const objects = [inboxObject(table), ...captureObjects(table, isChild)];
  const report = {
    resource: name,
    table: tableNameOf(source),
    columns: [
      ...table.key.map(({ column, type }) => ({ column, type, member: source.keyMember })),
      ...table.columns.map(({ column, type, member }) => ({ column, type, member })),
    ],
  };
  const reasons = present === undefined ? [] : yield* differences(present, table, objects);
  if (present !== undefined && reasons.length === 0) return { ...report, outcome: 'unchanged', did: [] };
  const removed = present === undefined ? [] : yield* uninstall(table);
  const made = yield* install(objects, report.table);
  const [look] = yield* query<LayoutLook & { readonly layout: string }>(layoutQuery(table));
  if (look === undefined) throw new TypeError('a select of one row gave none');
  const mapping = rowMapping(table, records).digest;
  yield* writeAttachment(name, table, { ...look, mapping }, present?.term ?? 0);
  const outcome = present === undefined ? 'attached' : 'changed';
  return { ...report, outcome, did: [...reasons, ...removed, ...made] };
}

/** Why what is installed does not serve any more. */
function* differences(
  present: Attachment,
  table: AttachedTable,
  objects: readonly InstalledObject[],
): Work<string[]> {
  const isOther = 'what was installed was of another release, or incomplete';
  if (isOfOtherRelease(present.layout)) return [isOther];
  const [look] = yield* query<LayoutLook>(layoutQuery(present));
  const change = describeChange(present.layout, look?.layout ?? null);
  const functions = objects.filter(({ body }) => body !== undefined);
  const [found] = yield* query<{ isComplete: boolean }>(
    `select to_regclass($1) is not null and not exists (select from unnest($2::text[], $3::text[]) f (name, body)
      where not exists (select from pg_catalog.pg_proc p where p.oid = to_regprocedure(f.name) and p.prosrc = f.body)) as "isComplete"`,
    [
      installedNames(table).inbox,
      functions.map(({ name }) => name.slice('function '.length)),
      functions.map(({ body }) => body),
    ],
  );
  const differ = (select: (of: AttachedTable) => unknown) =>
    JSON.stringify(select(present)) !== JSON.stringify(select(table));
  return [
    differ(({ source, tableOid }) => [source, tableOid])
      ? [`before, ${tableNameOf(present.source)} was attached in another way`]
      : [],
    change ?? (differ(({ key, columns }) => [key, columns]) ? 'the columns have changed' : []),
    found?.isComplete === true ? [] : isOther,
  ].flat();
}

function* install(objects: readonly InstalledObject[], table: string): Work<string[]> {
  for (const { name, create } of objects) {
    const comment = `rostack-store: captures the changes of ${table}; removed by detach`;
    for (const statement of [...create, `comment on ${name} is ${escapeLiteral(comment)}`]) {
      yield* query(statement);
    }
  }
  return objects.map(({ name }) => `created the ${name}`);
}
