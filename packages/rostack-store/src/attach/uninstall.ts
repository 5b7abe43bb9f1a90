import { sql } from 'kysely';
import { escapeIdentifier } from 'pg';
import { run, type Work } from '../database/database.ts';
import { type Dialect, once } from '../database/dialect.ts';
import type { InstalledNames } from './attachment.ts';
import { qualified } from './capture-sql.ts';

interface TriggerRow {
  readonly trigger: string;
  readonly schema: string;
  readonly table: string;
}

/** Drops triggers, function and inbox, whatever the table is by now; returns what was done. */
export function* uninstall(dialect: Dialect, schema: string, names: InstalledNames): Work<string[]> {
  const capture = qualified(schema, names.capture);
  const inbox = qualified(schema, names.inbox);
  const triggers = yield* run<TriggerRow>(
    once(
      dialect,
      sql`select t.tgname as trigger, n.nspname as schema, c.relname as "table"
        from pg_catalog.pg_trigger t join pg_catalog.pg_class c on c.oid = t.tgrelid
        join pg_catalog.pg_namespace n on n.oid = c.relnamespace
        where t.tgfoid = to_regproc(${capture}) order by t.tgname`,
    ),
  );
  const did: string[] = [];
  for (const { trigger, schema: tableSchema, table } of triggers) {
    yield* execute(`drop trigger ${escapeIdentifier(trigger)} on ${qualified(tableSchema, table)}`);
    did.push(`dropped the trigger ${trigger} on ${tableSchema}.${table}`);
  }
  const [present] = yield* run<{ capture: string | null; inbox: string | null }>(
    once(dialect, sql`select to_regproc(${capture})::text as capture, to_regclass(${inbox})::text as inbox`),
  );
  if (present?.capture != null) {
    yield* execute(`drop function ${capture}()`);
    did.push(`dropped the function ${schema}.${names.capture}`);
  }
  if (present?.inbox != null) {
    const [count] = yield* run<{ rows: number }>(
      once(dialect, sql`select count(*) as rows from ${sql.raw(inbox)}`),
    );
    yield* execute(`drop table ${inbox}`);
    did.push(
      `dropped the table ${schema}.${names.inbox} with ${count?.rows ?? 0} changes that had not been moved`,
    );
  }
  return did;
}

function* execute(statement: string): Work<void> {
  yield* run({ kind: 'once', sql: statement, parameters: [] });
}
