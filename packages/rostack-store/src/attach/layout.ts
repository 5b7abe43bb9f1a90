import { escapeLiteral } from 'pg';
import type { InstalledNames } from './installation.ts';
import { type KeyedTable, keyColumns } from './table-key.ts';

/** A table as far as its rows' images depend on it. */
export interface Layout {
  readonly table: string;
  /** Kind, persistence, whether tables inherit from it. */
  readonly shape: string;
  /** Whether it is a partition, or inherits. */
  readonly isChild: boolean;
  /** Whether row security hides rows from this role. */
  readonly isHiding: boolean;
  /** Whether the key is unique and not null. */
  readonly isKeyed: boolean;
  /** Number, name, type. */
  readonly columns: readonly (readonly [number, string, string])[] | null;
  /** Name, when it fires. */
  readonly triggers: readonly (readonly [string, string])[] | null;
}

/** What `layoutQuery` selects. */
export interface LayoutLook {
  /** JSON of a `Layout`; null when the table is gone. */
  readonly layout: string | null;
  readonly stamp: string;
}

/** Whether a table is, to all appearance, as it was attached. */
export function isUntouched(now: LayoutLook, attached: LayoutLook): boolean {
  return now.layout === attached.layout && now.stamp === attached.stamp;
}

export interface LayoutTarget extends KeyedTable {
  readonly names: InstalledNames;
  readonly tableOid: number;
}

/**
 * A select of one row, `layout` and `stamp`, both texts: `layout` is JSON and null when the table is gone. The stamp holds the
 * transactions that wrote the catalog rows of the columns, their enums and the triggers: what was undone again moves it too.
 */
export function layoutQuery(target: LayoutTarget): string {
  const { names, tableOid, columns } = target;
  const keyNumbers = keyColumns(target).map(({ number }) => number);
  const numbers = columns.map(({ number }) => number).join(',');
  const chosen = `from pg_catalog.pg_attribute a
    join pg_catalog.pg_type ty on ty.oid = a.atttypid join pg_catalog.pg_namespace tn on tn.oid = ty.typnamespace
    where a.attrelid = ${tableOid} and a.attnum in (${numbers}) and not a.attisdropped`;
  const own = `from pg_catalog.pg_trigger t where t.tgrelid = ${tableOid} and starts_with(t.tgname::text, ${escapeLiteral(names.triggers)})`;
  return `select (select json_build_object(
      'table', format('%I.%I', n.nspname, c.relname),
      'shape', concat(c.relkind, c.relpersistence, exists (select from pg_catalog.pg_inherits where inhparent = c.oid)),
      'isChild', exists (select from pg_catalog.pg_inherits where inhrelid = c.oid),
      'isHiding', row_security_active(c.oid),
      'isKeyed', ${keyedExpression('c.oid', keyNumbers)},
      'columns', (select json_agg(json_build_array(a.attnum, a.attname,
        case tn.nspname when 'pg_catalog' then format_type(a.atttypid, a.atttypmod)
          else format('%I.%I', tn.nspname, ty.typname) end) order by a.attnum) ${chosen}),
      'triggers', (select json_agg(json_build_array(t.tgname, t.tgenabled) order by t.tgname) ${own}))::text
      from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace where c.oid = ${tableOid}) as layout,
    concat_ws(' ',
      (select string_agg(a.xmin::text, ',' order by a.attnum) ${chosen}),
      (select string_agg(e.xmin::text, ',' order by e.oid) from pg_catalog.pg_enum e
        where e.enumtypid in (select ty.oid ${chosen} union select ty.typelem ${chosen} union select ty.typbasetype ${chosen})),
      (select string_agg(t.xmin::text, ',' order by t.tgname) ${own})) as stamp`;
}

/**
 * SQL: whether columns are not null and have a unique index of their own, checked at once and over all rows, that finds rows by them and
 * gives all rows in their order. An index in another collation, or partly descending, does not.
 */
export function keyedExpression(tableOid: string, columns: readonly number[]): string {
  const joins = columns.map(
    (
      column,
      index,
    ) => `join pg_catalog.pg_attribute k${index} on k${index}.attrelid = i.indrelid and k${index}.attnum = ${column}
      and k${index}.attnotnull and k${index}.attnum = i.indkey[${index}] and k${index}.attcollation = i.indcollation[${index}]
      and i.indoption[${index}] in (0, 3) and i.indoption[${index}] = i.indoption[0]
    join pg_catalog.pg_opclass o${index} on o${index}.oid = i.indclass[${index}] and o${index}.opcdefault`,
  );
  return `exists (select from pg_catalog.pg_index i ${joins.join(' ')}
    where i.indrelid = ${tableOid} and i.indisunique and i.indimmediate and i.indisvalid and i.indpred is null
      and i.indexprs is null and i.indnkeyatts = ${columns.length})`;
}

/** Whether a table was attached by a release that installed other triggers. */
export function isOfOtherRelease(layout: string, names: InstalledNames): boolean {
  const { triggers } = JSON.parse(layout) as Pick<Layout, 'triggers'>;
  return triggers?.every(([name]) => name.startsWith(names.triggers)) !== true;
}

/** What happened to a table since it was attached, for people; undefined: nothing that matters. */
export function describeChange(before: string, now: string | null): string | undefined {
  if (now === before) return undefined;
  const was = JSON.parse(before) as Layout;
  if (now === null) return `the table ${was.table} is gone`;
  const is = JSON.parse(now) as Layout;
  const changes = [
    was.table === is.table ? [] : [`the table ${was.table} is now named ${is.table}`],
    was.shape === is.shape ? [] : [`${is.table} is no longer an ordinary table without children`],
    was.isChild === is.isChild
      ? []
      : [
          `${is.table} ${is.isChild ? 'has become a partition, or inherits' : 'is no longer a partition, nor inherits'}`,
        ],
    is.isHiding ? [`row security hides rows of ${is.table} from the gateway's role`] : [],
    is.isKeyed
      ? []
      : [
          `the key of ${is.table} is no longer unique and not null, by an index of its own order and collation`,
        ],
    columnChanges(was, is),
    triggerChanges(was, is),
  ].flat();
  return changes.length === 0 ? undefined : changes.join('; ');
}

function columnChanges(was: Layout, is: Layout): string[] {
  const present = new Map((is.columns ?? []).map(([number, name, type]) => [number, { name, type }]));
  return (was.columns ?? []).flatMap(([number, name, type]) => {
    const now = present.get(number);
    if (now === undefined) return [`the column ${name} of ${is.table} was dropped`];
    return [
      now.name === name ? [] : [`the column ${name} of ${is.table} was renamed to ${now.name}`],
      now.type === type ? [] : [`the column ${name} of ${is.table} was ${type} and is ${now.type}`],
    ].flat();
  });
}

/** How a trigger comes to fire again as `tgenabled` says. */
const ENABLING: Readonly<Record<string, string>> = { A: 'enable always', R: 'enable replica', O: 'enable' };

function triggerChanges(was: Layout, is: Layout): string[] {
  const present = new Map(is.triggers ?? []);
  return (was.triggers ?? []).flatMap(([name, enabled]) => {
    if (!present.has(name)) return [`the trigger ${name} on ${is.table} is gone`];
    return present.get(name) === enabled
      ? []
      : [
          `the trigger ${name} on ${is.table} does not fire as it did (alter table ... ${ENABLING[enabled] ?? 'enable'} trigger)`,
        ];
  });
}
