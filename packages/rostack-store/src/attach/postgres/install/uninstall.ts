import type { Work } from '../../../drivers/database.ts';
import { quoteName } from '../../../drivers/dialect/sql.ts';
import type { AttachedTable } from '../../attachment/attachment.ts';
import { query } from '../../source/query.ts';

/** Drops what any release so far has installed, even if the table has been replaced or dropped since; returns what was done. */
export function* uninstall({ schema, number }: Pick<AttachedTable, 'schema' | 'number'>): Work<string[]> {
  const objects = yield* query<{ kind: string; name: string }>(
    `with own as (select oid, pronamespace as schema from pg_catalog.pg_proc
        where pronamespace = $1::text::regnamespace and proname ~ $2),
      named (rank, catalog, oid) as (
        select 1, 'pg_trigger'::regclass, t.oid from own join pg_catalog.pg_trigger t on t.tgfoid = own.oid
        union all select 2, 'pg_proc'::regclass, oid from own
        union all select 3, 'pg_class'::regclass, oid from pg_catalog.pg_class
          where relnamespace = $1::text::regnamespace and relkind in ('r', 'S') and relname = any($3)
        union all select 4, 'pg_type'::regclass, oid from pg_catalog.pg_type
          where typnamespace = $1::text::regnamespace and typname = any($4))
      select o.type as kind, o.identity as name from named, pg_catalog.pg_identify_object(catalog, oid, 0) o order by rank`,
    [
      quoteName(schema),
      `^(capture(_[a-z]+)?|settle)_${number}(_[a-z]+)?$`,
      [`inbox_${number}`, `asleep_${number}`],
      [`row_${number}`, `key_${number}`],
    ],
  );
  const did: string[] = [];
  for (const { kind, name } of objects) {
    const waiting = kind === 'table' ? yield* countWaiting(name) : '';
    yield* query(`drop ${kind} ${name}`);
    did.push(`dropped the ${kind} ${name}${waiting}`);
  }
  return did;
}

function* countWaiting(inbox: string): Work<string> {
  // An inbox of an earlier release may have no sizes; each of its rows is one change.
  const [count] = yield* query<{ changes: number }>(
    `select coalesce(sum(coalesce((to_jsonb(i) ->> 'size')::int, 1)), 0) as changes from ${inbox} i`,
  );
  return ` with ${count?.changes ?? 0} changes that had not been moved`;
}
