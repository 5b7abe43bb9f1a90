import { sql } from 'kysely';
import { escapeIdentifier } from 'pg';
import { run, type Work } from '../database/database.ts';
import { type Dialect, once } from '../database/dialect.ts';
import { functionNames, type InstalledNames } from './attachment.ts';
import { qualified } from './installation.ts';

interface TriggerRow {
  readonly trigger: string;
  readonly schema: string;
  readonly table: string;
}

/** Drops triggers, functions, inbox and type, whatever the table is by now; returns what was done. */
export function* uninstall(dialect: Dialect, schema: string, names: InstalledNames): Work<string[]> {
  const functions = functionNames(names).map((name) => qualified(schema, name));
  const triggers = yield* run<TriggerRow>(
    once(
      dialect,
      sql`select t.tgname as trigger, n.nspname as schema, c.relname as "table"
        from pg_catalog.pg_trigger t join pg_catalog.pg_class c on c.oid = t.tgrelid
        join pg_catalog.pg_namespace n on n.oid = c.relnamespace
        where t.tgfoid = any(select to_regproc(name)::oid from unnest(${functions}::text[]) name) order by t.tgname`,
    ),
  );
  const did: string[] = [];
  for (const { trigger, schema: tableSchema, table } of triggers) {
    yield* execute(`drop trigger ${escapeIdentifier(trigger)} on ${qualified(tableSchema, table)}`);
    did.push(`dropped the trigger ${trigger} on ${tableSchema}.${table}`);
  }
  const inbox = qualified(schema, names.inbox);
  const [present] = yield* run<{ inbox: string | null; hasSizes: boolean }>(
    once(
      dialect,
      sql`select to_regclass(${inbox})::text as inbox, 
        exists (select from pg_catalog.pg_attribute where attrelid = to_regclass(${inbox}) and attname = 'size') as "hasSizes"`,
    ),
  );
  for (const name of functionNames(names)) {
    const [found] = yield* run<{ name: string | null }>(
      once(dialect, sql`select to_regproc(${qualified(schema, name)})::text as name`),
    );
    if (found?.name == null) continue;
    yield* execute(`drop function ${qualified(schema, name)}`);
    did.push(`dropped the function ${schema}.${name}`);
  }
  if (present?.inbox != null) {
    // An inbox of an earlier release has no sizes: there each row is a change.
    const changes = sql.raw(present.hasSizes ? 'coalesce(sum(size), 0)' : 'count(*)');
    const [count] = yield* run<{ changes: number }>(
      once(dialect, sql`select ${changes} as changes from ${sql.raw(inbox)}`),
    );
    yield* execute(`drop table ${inbox}`);
    did.push(
      `dropped the table ${schema}.${names.inbox} with ${count?.changes ?? 0} changes that had not been moved`,
    );
  }
  for (const type of [names.rowType, names.keyType]) {
    const [found] = yield* run<{ name: string | null }>(
      once(dialect, sql`select to_regtype(${qualified(schema, type)})::text as name`),
    );
    if (found?.name == null) continue;
    yield* execute(`drop type ${qualified(schema, type)}`);
    did.push(`dropped the type ${schema}.${type}`);
  }
  return did;
}

function* execute(statement: string): Work<void> {
  yield* run({ kind: 'once', sql: statement, parameters: [] });
}
