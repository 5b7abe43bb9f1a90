import type { Once } from '../../../drivers/dialect/sql.ts';
import type { AttachedTable, KeyColumn } from '../../attachment/attachment.ts';
import { installedNames } from '../../attachment/installation.ts';

/** Version of the form of inbox, images and layouts. A release stops an attachment with a form other than its own. */
export const FORM = '5';

/** SQL: a column's type in readable form; user-defined types always have their schema, whatever the search path. */
export const TYPE_NAME = `case tn.nspname when 'pg_catalog' then format_type(a.atttypid, a.atttypmod)
  else format('%I.%I', tn.nspname, ty.typname) end`;

/**
 * For each table, selects its attachment's `number`, `layout` and `stamp`: see `LayoutLook`. The layout contains what the images of rows
 * depend on. The stamp lists the transactions that wrote the catalog rows of the columns, their enums, the triggers and the inbox, so even
 * a change that was undone alters it. A table that has neither the name nor a trigger of ours is another table, which got the OID after a
 * restore of the database.
 */
export function layoutQuery(...tables: readonly AttachedTable[]): Once {
  const rows = tables.map((table) => {
    const { tableOid: oid, number, key, columns, source } = table;
    const { inbox, asleep, triggers } = installedNames(table);
    const [keys, numbers] = [key, [...key, ...columns]].map((list) => list.map((column) => column.number));
    const { schema, table: name } = source;
    return { number, oid, key: keys, numbers, inbox, asleep, triggers, schema, name };
  });
  return {
    kind: 'once',
    sql: LAYOUT_SQL,
    parameters: [JSON.stringify(rows)],
    isNumbered: true,
    isKept: true,
  };
}

/**
 * One statement for all tables, since it stays prepared: planning it takes five times as long as running it, and the plan takes nearly 1
 * MiB in each connection. The parameter has a select of its own, so that plans do not depend on its value.
 */
const LAYOUT_SQL: string = layoutSql();

function layoutSql(): string {
  const inbox = 'to_regclass(at.inbox)';
  const chosen = `from pg_catalog.pg_attribute a
    join pg_catalog.pg_type ty on ty.oid = a.atttypid join pg_catalog.pg_namespace tn on tn.oid = ty.typnamespace
    where a.attrelid = at.oid and a.attnum = any(at.numbers) and not a.attisdropped`;
  const own = `from pg_catalog.pg_trigger t where t.tgrelid = at.oid and starts_with(t.tgname::text, at.triggers)`;
  return `select at.number, (select jsonb_build_object(
      'form', '${FORM}',
      'name', format('%I.%I', n.nspname, c.relname),
      'inbox is there', ${inbox} is not null,
      'asleep is there', to_regclass(at.asleep) is not null,
      'is an ordinary table', c.relkind = 'r' and c.relpersistence = 'p',
      'has children', exists (select from pg_catalog.pg_inherits where inhparent = c.oid),
      'is a partition, or inherits', exists (select from pg_catalog.pg_inherits where inhrelid = c.oid),
      'row security hides rows from the gateway', row_security_active(c.oid),
      'key is unique and not null, by an index of its own order and collation', ${keyedExpression('c.oid', 'at.key')})
      || coalesce((select jsonb_object_agg(concat('column ', a.attnum), concat(a.attname, ' ', ${TYPE_NAME})) ${chosen}), '{}')
      || coalesce((select jsonb_object_agg(concat('trigger ', t.tgname), case t.tgenabled when 'O' then 'enable'
        when 'R' then 'enable replica' when 'A' then 'enable always' else 'disable' end) ${own}), '{}')
      from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace where c.oid = at.oid
        and (n.nspname = at.schema and c.relname = at.name or exists (select ${own})))::text as layout,
    concat_ws(' ',
      (select string_agg(a.xmin::text, ',' order by a.attnum) ${chosen}),
      (select string_agg(e.xmin::text, ',' order by e.oid) from pg_catalog.pg_enum e
        where e.enumtypid in (select ty.oid ${chosen} union select ty.typelem ${chosen} union select ty.typbasetype ${chosen})),
      (select string_agg(t.xmin::text, ',' order by t.tgname) ${own}),
      (select c.xmin::text from pg_catalog.pg_class c where c.oid = ${inbox})) as stamp
    from json_to_recordset((select $1::json)) as at (number int, oid oid, key int2[], numbers int2[], inbox text, asleep text, triggers text,
      schema text, name text)`;
}

/** SQL: the numbers of columns. */
export function numbersOf(columns: readonly Pick<KeyColumn, 'number'>[]): string {
  return `'{${columns.map(({ number }) => number).join(',')}}'::int2[]`;
}

/**
 * SQL: whether columns are not null and have a unique index of their own, neither deferred nor partial, by which rows can be found and read
 * in order. An index in another collation, or partly descending, does not qualify.
 * @param key SQL: the columns' numbers, as `numbersOf` writes them
 */
export function keyedExpression(tableOid: string, key: string): string {
  const all = `[0:cardinality(${key}) - 1]`;
  return `exists (select from pg_catalog.pg_index i
    where i.indrelid = ${tableOid} and i.indisunique and i.indimmediate and i.indisvalid and i.indpred is null and i.indexprs is null
      and i.indnkeyatts = cardinality(${key}) and i.indkey${all} = ${key}
      and not exists (select from unnest(i.indkey${all}, i.indcollation${all}, i.indoption${all}, i.indclass${all})
          k (number, collation_oid, option, class)
        join pg_catalog.pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number
        join pg_catalog.pg_opclass o on o.oid = k.class
        where not a.attnotnull or a.attcollation <> k.collation_oid or not o.opcdefault
          or k.option not in (0, 3) or k.option <> i.indoption[0]))`;
}
