import { run, type Work } from '../database/database.ts';
import { type Dialect, once } from '../database/dialect.ts';
import { sql } from '../database/sql.ts';
import { qualified } from './installation.ts';

interface InstalledObject {
  readonly kind: 'trigger' | 'function' | 'table' | 'type';
  readonly name: string;
}

/**
 * Drops what this release or an earlier one installed, also when the table is another one by now, or gone; returns what was done.
 * @param number of the resource
 */
export function* uninstall(dialect: Dialect, schema: string, number: number): Work<string[]> {
  const functions = `^(capture(_[a-z]+)?|settle)_${number}(_[a-z]+)?$`;
  const types = [`row_${number}`, `key_${number}`];
  const inbox = `inbox_${number}`;
  const objects = yield* run<InstalledObject>(
    once(
      dialect,
      sql`with own as (select oid, proname from pg_catalog.pg_proc
          where pronamespace = (select oid from pg_catalog.pg_namespace where nspname = ${schema}) and proname ~ ${functions})
        select 'trigger' as kind, format('%I on %I.%I', t.tgname, n.nspname, c.relname) as name
          from own join pg_catalog.pg_trigger t on t.tgfoid = own.oid join pg_catalog.pg_class c on c.oid = t.tgrelid
          join pg_catalog.pg_namespace n on n.oid = c.relnamespace
        union all select 'function', format('%I.%I', ${schema}::text, proname) from own
        union all select 'table', format('%I.%I', schemaname, tablename) from pg_catalog.pg_tables
          where schemaname = ${schema} and tablename = ${inbox}
        union all select 'type', format('%I.%I', n.nspname, t.typname) from pg_catalog.pg_type t
          join pg_catalog.pg_namespace n on n.oid = t.typnamespace where n.nspname = ${schema} and t.typname = any(${types})`,
    ),
  );
  const did: string[] = [];
  for (const { kind, name } of objects) {
    const waiting = kind === 'table' ? yield* countWaiting(dialect, schema, inbox) : '';
    yield* run({ kind: 'once', sql: `drop ${kind} ${name}`, parameters: [] });
    did.push(`dropped the ${kind} ${name}${waiting}`);
  }
  return did;
}

function* countWaiting(dialect: Dialect, schema: string, inbox: string): Work<string> {
  const [sized] = yield* run(
    once(
      dialect,
      sql`select 1 from information_schema.columns where table_schema = ${schema} and table_name = ${inbox} and column_name = 'size'`,
    ),
  );
  // An inbox of an earlier release has no sizes: there each row is a change.
  const changes = sized === undefined ? 'count(*)' : 'coalesce(sum(size), 0)';
  const [count] = yield* run<{ changes: number }>({
    kind: 'once',
    sql: `select ${changes} as changes from ${qualified(schema, inbox)}`,
    parameters: [],
  });
  return ` with ${count?.changes ?? 0} changes that had not been moved`;
}
