import { escapeIdentifier, escapeLiteral } from 'pg';
import { run, type Work } from '../database/database.ts';
import { type Dialect, once } from '../database/dialect.ts';
import { sql } from '../database/sql.ts';
import { AttachRefusedError } from '../errors/index.ts';
import { checkOption } from '../options/check-option.ts';
import type { StoredResource } from '../schema/stored-resource.ts';
import type { Store } from '../store.ts';
import { type Attachment, readAttachment } from './attachment.ts';
import { captureSql, capturesOf, functionsOf } from './capture.ts';
import { columnMappings, mappingDigest, schemaFaults } from './column-mapping.ts';
import { inboxOf, inboxSql } from './inbox.ts';
import { inspectTable } from './inspect-table.ts';
import { type Installation, installedNames, qualified } from './installation.ts';
import { describeChange, isOfOtherRelease, layoutQuery } from './layout.ts';
import { emptyQuarantine } from './quarantine.ts';
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
  return runWithTableLock(database, options, () => attach(database.dialect, schema, target, resolved));
}

function* attach(
  dialect: Dialect,
  schema: string,
  target: StoredResource,
  source: ResolvedSource,
): Work<AttachReport> {
  const { name } = target.resource;
  const names = installedNames(schema, target.tables.number);
  yield* run(
    once(
      dialect,
      sql`select pg_advisory_xact_lock(hashtextextended(${`rostack-store attach ${schema}`}, 0))`,
    ),
  );
  const present = yield* readAttachment(dialect, name, true);
  const { oid, columns, isChild } = yield* inspectTable(dialect, source);
  const mapping = columnMappings({ source, columns }, target.resource.schema);
  const faults = schemaFaults({ source, columns }, mapping, target.resource.schema);
  if (faults.length > 0) throw new AttachRefusedError(`${name}: ${faults.join('; ')}`);
  const installation: Installation = { schema, names, source, columns, isChild };
  const report = {
    resource: name,
    table: tableNameOf(source),
    columns: columns.map(({ column, type, member }) => ({ column, type, member })),
  };
  const reasons = present === undefined ? [] : yield* differences(dialect, present, installation, oid);
  if (present !== undefined && reasons.length === 0) return { ...report, outcome: 'unchanged', did: [] };
  const removed = present === undefined ? [] : yield* uninstall(dialect, schema, target.tables.number);
  yield* install(dialect, installation);
  yield* remember(
    dialect,
    installation,
    target,
    oid,
    mappingDigest(mapping, target.resource.schema),
    present?.term ?? 0,
  );
  return {
    ...report,
    outcome: present === undefined ? 'attached' : 'changed',
    did: [...reasons, ...removed, ...describeInstalled(installation)],
  };
}

/** Why what is installed does not serve any more. */
function* differences(
  dialect: Dialect,
  present: Attachment,
  installation: Installation,
  tableOid: number,
): Work<string[]> {
  const { schema, names, source, columns } = installation;
  const reasons: string[] = [];
  if (JSON.stringify(present.source) !== JSON.stringify(source) || present.tableOid !== tableOid) {
    reasons.push(`before, ${tableNameOf(present.source)} was attached in another way`);
  }
  const [look] = yield* run<{ layout: string | null }>({
    kind: 'once',
    sql: layoutQuery({ ...present, names }),
    parameters: [],
  });
  const change = describeChange(present.layout, look?.layout ?? null);
  if (isOfOtherRelease(present.layout, names)) reasons.push('what was installed was of another release');
  else if (change !== undefined) reasons.push(change);
  else if (JSON.stringify(present.columns) !== JSON.stringify(columns))
    reasons.push('the columns have changed');
  const installed = yield* run<{ name: string; body: string }>(
    once(
      dialect,
      sql`select proname as name, prosrc as body from pg_catalog.pg_proc
        where pronamespace = to_regnamespace(${escapeIdentifier(schema)})`,
    ),
  );
  const [inbox] = yield* run<{ name: string | null }>(
    once(dialect, sql`select to_regclass(${inboxOf(installation)})::text as name`),
  );
  const bodies = new Map(installed.map(({ name, body }) => [name, body]));
  const isComplete = [...functionsOf(installation)].every(([name, body]) => bodies.get(name) === body);
  if (!isComplete || inbox?.name == null) {
    reasons.push('what was installed was of another release, or incomplete');
  }
  return reasons;
}

function* install(dialect: Dialect, installation: Installation): Work<void> {
  const marks = [
    ...[...functionsOf(installation).keys()].map(
      (name) =>
        [`function ${qualified(installation.schema, name)}`, 'puts changed rows into the inbox'] as const,
    ),
    [`table ${inboxOf(installation)}`, 'changes that are not in the log yet'] as const,
  ].map(([object, purpose]) => {
    const table = tableNameOf(installation.source);
    return `comment on ${object} is ${escapeLiteral(`rostack-store: ${purpose} of ${table}; removed by detach`)}`;
  });
  for (const statement of [...inboxSql(installation), ...captureSql(installation), ...marks]) {
    yield* run({ kind: 'once', sql: statement, parameters: [] });
  }
}

function* remember(
  dialect: Dialect,
  { names, source, columns }: Installation,
  { resource, tables }: StoredResource,
  tableOid: number,
  mapping: string,
  lastTerm: number,
): Work<void> {
  const [look] = yield* run<{ layout: string; stamp: string }>({
    kind: 'once',
    sql: layoutQuery({ names, tableOid, source, columns }),
    parameters: [],
  });
  const table = dialect.table('attachment');
  yield* emptyQuarantine(dialect, resource.name);
  yield* run(once(dialect, sql`delete from ${table} where name = ${resource.name}`));
  yield* run(
    once(
      dialect,
      sql`insert into ${table} (name, number, source, columns, table_oid, layout, stamp, mapping, term, phase, place)
        values (${resource.name}, ${tables.number}, ${JSON.stringify(source)}, ${JSON.stringify(columns)}, ${tableOid},
          ${look?.layout}, ${look?.stamp}, ${mapping}, ${lastTerm + 1}, 'load', null)`,
    ),
  );
}

function describeInstalled(installation: Installation): string[] {
  const { schema, names, source } = installation;
  return [
    `created the table ${schema}.${names.inbox}`,
    ...[...functionsOf(installation).keys()].map((name) => `created the function ${schema}.${name}`),
    ...capturesOf(installation).map(
      ({ trigger }) => `created the trigger ${trigger} on ${tableNameOf(source)}`,
    ),
  ];
}
