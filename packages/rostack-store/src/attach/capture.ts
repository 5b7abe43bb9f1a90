import { quoteName, quoteText } from '../database/sql.ts';
import type { AttachedTable } from './attachment.ts';
import { type InstalledObject, installedNames } from './installation.ts';
import { qualified } from './query.ts';
import { IMAGE_SETTINGS, imageExpression } from './row-image.ts';
import { idExpression, isKeyOf, keyFields } from './table-key.ts';

/**
 * The functions and triggers that capture the changes of a table. Each change fires one of the triggers, even one written by a subscription
 * of logical replication, which fires no statement triggers. The triggers come last, because only they need the table's lock.
 * @param isChild whether the table is a partition, or inherits: writes through its parent only fire its row triggers
 */
export function captureObjects(table: AttachedTable, isChild: boolean): readonly InstalledObject[] {
  const { source } = table;
  const names = installedNames(table);
  const on = qualified(source.schema, source.table);
  const id = idExpression(table, keyFields(table, 'r'));
  const settled = settledImage(table);
  const present = `select ${id} as id, case when capture.is_doubtful then ${settled} else ${imageExpression(table, 'r')} end as image
      from new_table r`;

  const triggerOf = (kind: string, event: string, by: InstalledObject, enable?: string): InstalledObject => {
    const name = quoteName(`${names.triggers}${kind}`);
    const create = [`create trigger ${name} after ${event} execute ${by.name}`];
    if (enable !== undefined) create.push(`alter table ${on} enable ${enable} trigger ${name}`);
    return { name: `trigger ${name} on ${on}`, create };
  };
  const ofStatements = (kind: string, referencing: string, changes: string, isMoved?: string) => {
    const by = captureFunction(table, `_${kind}`, changes, isMoved);
    const event = `${kind} on ${on} referencing ${referencing} for each statement`;
    return [by, triggerOf(kind, event, by)] as const;
  };

  const byRow = captureFunction(table, '', changedRows(table));
  const rowEvent = `insert or update or delete on ${on} for each row`;
  const [old, now] = ['old table as old_table', 'new table as new_table'];
  const captures = [
    [byRow, triggerOf('row', rowEvent, byRow, isChild ? 'always' : 'replica')] as const,
    ...(isChild
      ? []
      : [
          ofStatements('insert', now, present),
          ofStatements(
            'update',
            `${old} ${now}`,
            `${present} union all select ${id}, ${settled} from old_table r where capture.is_moved`,
            `array(select ${id} from old_table r) operator(pg_catalog.<>) array(select ${id} from new_table r)`,
          ),
          ofStatements(
            'delete',
            old,
            `select ${id} as id, case when capture.is_doubtful then ${settled} end as image from old_table r`,
          ),
        ]),
  ];
  return [
    ...captures.map(([by]) => by),
    ...captures.map(([, trigger]) => trigger),
    triggerOf('truncate', `truncate on ${on} for each statement`, byRow, 'always'),
  ];
}

/** SQL: the rows that one row event has changed, in the state that nested statements have left since. */
function changedRows(table: AttachedTable): string {
  const keys = (row: string) =>
    table.key
      .map(({ column }) => quoteName(column))
      .map((name) => `${row}.${name} as ${name}`)
      .join(', ');
  const [before, after] = ['OLD', 'NEW'].map((row) => idExpression(table, keyFields(table, row)));
  return `select ${idExpression(table, keyFields(table, 'r'))} as id, ${settledImage(table)} as image from (
      select ${keys('NEW')} where TG_OP operator(pg_catalog.<>) 'DELETE' union all
      select ${keys('OLD')} where TG_OP operator(pg_catalog.<>) 'INSERT' and (TG_OP operator(pg_catalog.=) 'DELETE' or ${before} operator(pg_catalog.<>) ${after})) r`;
}

/** SQL: the image of the row that now has the key of row `r`, or null. */
function settledImage(table: AttachedTable): string {
  const { source } = table;
  const fields = keyFields(table, 'r');
  return `(select ${imageExpression(table, 't')} from only ${qualified(source.schema, source.table)} t
    where ${isKeyOf(table, 't', fields, idExpression(table, fields))})`;
}

/** The most rows of the table in one row of the inbox. */
const CHUNK_ROWS = 200;

/** The first two make sure that rows are found by the index, however small the table was when the statement was planned. */
const SETTINGS = ['enable_seqscan = off', 'plan_cache_mode = force_generic_plan', ...IMAGE_SETTINGS];

/** SQL: identifies the client's statement, including nested ones; no session setting affects the text. */
const MOMENT = 'extract(epoch from pg_catalog.statement_timestamp())::pg_catalog.text';

/**
 * The function of a trigger. A statement's transition tables are older than what a nested statement (of an application's trigger, or of a
 * function that the statement calls) did to the same rows. That one was captured earlier, within the same statement of the client, and set
 * the marker. If the marker is set, or keys have changed, the query looks up the row of each key instead. So the last thing captured for a
 * key is what its last change left.
 *
 * A failure while changes are read does not stop the writer: the table is read again. A statement of one chunk writes to the inbox outside
 * of the block that catches errors, so it needs no transaction id for a subtransaction. Of a larger statement, at most one chunk is in
 * memory.
 * @param changes a select of ids and images; the image is null if no row has the id any more
 * @param isMoved SQL: whether the keys of rows may have changed
 */
function captureFunction(
  table: AttachedTable,
  suffix: string,
  changes: string,
  isMoved = 'false',
): InstalledObject {
  const names = installedNames(table);
  const marker = quoteText(names.marker);
  const chunk = `(pg_catalog.row_number() over () operator(pg_catalog.-) 1) operator(pg_catalog./) ${CHUNK_ROWS}`;
  const told = `pg_catalog.count(*), pg_catalog.array_agg(c.id) filter (where c.image is null),
        pg_catalog.array_agg(c.image) filter (where c.image is not null)`;
  const keep = `insert into ${names.inbox} (kind, size, gone, rows) values (v_kind, v_size, v_gone, v_rows)`;
  const body = `<<capture>>
declare
  is_moved pg_catalog.bool;
  is_doubtful pg_catalog.bool;
  v_kind "char" := 'w';
  v_size pg_catalog.int4;
  v_gone pg_catalog.text[];
  v_rows pg_catalog.text[];
  v_moment pg_catalog.text := ${MOMENT};
begin
  if TG_OP operator(pg_catalog.=) 'TRUNCATE' then
    insert into ${names.inbox} (kind, size) values ('t', 1);
    return null;
  end if;
  begin
    is_moved := ${isMoved};
    is_doubtful := is_moved or coalesce(pg_catalog.current_setting(${marker}, true) operator(pg_catalog.=) v_moment, false);
    select ${told} into v_size, v_gone, v_rows from (select * from (${changes}) r limit ${CHUNK_ROWS + 1}) c;
    if v_size operator(pg_catalog.>) ${CHUNK_ROWS} then
      for v_size, v_gone, v_rows in
        select ${told} from (select ${chunk} as chunk, r.* from (${changes}) r) c group by c.chunk order by c.chunk
      loop
        ${keep};
      end loop;
      v_size := null;
    end if;
  exception when others then
    v_kind := 'e';
    v_size := 1;
    v_gone := null;
    v_rows := null;
  end;
  if v_size operator(pg_catalog.=) 0 then
    return null;
  end if;
  if v_size is not null then
    ${keep};
  end if;
  v_moment := pg_catalog.set_config(${marker}, v_moment, true);
  return null;
end
`;
  const name = `function ${qualified(table.schema, `${names.capture}${suffix}`)}()`;
  const settings = SETTINGS.map((setting) => `set ${setting}`).join(' ');
  return {
    name,
    body,
    create: [
      `create ${name} returns trigger security definer ${settings} language plpgsql as ${quoteText(body)}`,
      `revoke all on ${name} from public`,
    ],
  };
}
