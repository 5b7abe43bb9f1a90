import { quoteName, quoteText } from '../../../drivers/dialect/sql.ts';
import { channelOf, hasChannel, notePayload } from '../../../drivers/postgres/listening/channel.ts';
import type { AttachedTable } from '../../attachment/attachment.ts';
import { type InstalledObject, installedNames } from '../../attachment/installation.ts';
import { idExpression, keyFields } from '../../row/table-key.ts';
import { qualified } from '../../source/query.ts';

/**
 * The functions and triggers that note which rows of a table have changed. Each change fires one of the triggers, even a change applied by
 * a logical replication subscription, which fires no statement triggers. The triggers come last, because only they need the table's lock.
 * @param isChild whether the table is a partition, or inherits: writes through its parent only fire its row triggers
 */
export function captureObjects(table: AttachedTable, isChild: boolean): readonly InstalledObject[] {
  const { source } = table;
  const names = installedNames(table);
  const on = qualified(source.schema, source.table);
  const id = idExpression(table, keyFields(table, 'r'));

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
  const present = `select ${id} as id from new_table r`;
  const captures = [
    [byRow, triggerOf('row', rowEvent, byRow, isChild ? 'always' : 'replica')] as const,
    ...(isChild
      ? []
      : [
          ofStatements('insert', now, present),
          ofStatements(
            'update',
            `${old} ${now}`,
            `select ${id} as id from old_table r where capture.is_moved union all ${present}`,
            `array(select ${id} from old_table r) operator(pg_catalog.<>) array(select ${id} from new_table r)`,
          ),
          ofStatements('delete', old, `select ${id} as id from old_table r`),
        ]),
  ];
  return [
    ...captures.map(([by]) => by),
    ...captures.map(([, trigger]) => trigger),
    triggerOf('truncate', `truncate on ${on} for each statement`, byRow, 'always'),
  ];
}

/** SQL: the ids that one row event affects. */
function changedRows(table: AttachedTable): string {
  const [before, after] = ['OLD', 'NEW'].map((row) => idExpression(table, keyFields(table, row)));
  return `select ${before} as id where TG_OP operator(pg_catalog.<>) 'INSERT'
        and (TG_OP operator(pg_catalog.=) 'DELETE' or ${before} operator(pg_catalog.<>) ${after}) union all
      select ${after} where TG_OP operator(pg_catalog.<>) 'DELETE'`;
}

/**
 * SQL that notifies a sleeping leader, once: a notification makes transactions commit one by one. With prepared transactions, which cannot
 * notify, or if the channel's name would be too long, the leader polls instead.
 */
function wakeLeader(table: AttachedTable): string {
  const { asleep } = installedNames(table);
  if (!hasChannel(table.schema)) return '';
  return `
  if v_is_noted and pg_catalog.current_setting('max_prepared_transactions') operator(pg_catalog.=) '0'
    and pg_catalog.to_regclass(${quoteText(asleep)}) is not null then
    if (select s.last_value from ${asleep} s) operator(pg_catalog.=) 1 then
      perform pg_catalog.setval(${quoteText(asleep)}, 0);
      perform pg_catalog.pg_notify(${quoteText(channelOf(table.schema))}, ${quoteText(notePayload(table.number))});
    end if;
  end if;`;
}

/** The most ids in one note. */
const NOTE_IDS = 200;

/**
 * The function of a trigger. It reads no table of the application, so it does not matter what a nested statement did to the same rows: that
 * has its own note, and a row is read after everything is committed. A failure while ids are made does not stop the writer: the table is
 * read again. Nor does an inbox that is gone, which stops the attachment. A statement of one note writes it outside of the block that
 * catches errors, so it needs no transaction id for a subtransaction.
 * @param changes a select of ids
 * @param isMoved SQL: whether the keys of rows may have changed
 */
function captureFunction(
  table: AttachedTable,
  suffix: string,
  changes: string,
  isMoved = 'false',
): InstalledObject {
  const names = installedNames(table);
  const chunk = `(pg_catalog.row_number() over () operator(pg_catalog.-) 1) operator(pg_catalog./) ${NOTE_IDS}`;
  const body = `<<capture>>
declare
  is_moved pg_catalog.bool;
  v_kind pg_catalog."char" := 'w';
  v_size pg_catalog.int4 := 1;
  v_ids pg_catalog.text[];
  v_is_noted pg_catalog.bool := false;
begin
  if pg_catalog.to_regclass(${quoteText(names.inbox)}) is null then
    return null;
  end if;
  if TG_OP operator(pg_catalog.=) 'TRUNCATE' then
    v_kind := 't';
  else
    begin
      is_moved := ${isMoved};
      select pg_catalog.count(*), pg_catalog.array_agg(c.id) into v_size, v_ids from (select * from (${changes}) r limit ${NOTE_IDS + 1}) c;
      if v_size operator(pg_catalog.>) ${NOTE_IDS} then
        insert into ${names.inbox} (kind, size, ids)
          select v_kind, pg_catalog.count(*), pg_catalog.array_agg(c.id)
          from (select ${chunk} as chunk, r.id from (${changes}) r) c group by c.chunk order by c.chunk;
        v_size := 0;
        v_is_noted := true;
      end if;
    exception when others then
      v_kind := 'e';
      v_size := 1;
      v_ids := null;
    end;
  end if;
  if v_size operator(pg_catalog.>) 0 then
    insert into ${names.inbox} (kind, size, ids) values (v_kind, v_size, v_ids);
    v_is_noted := true;
  end if;${wakeLeader(table)}
  return null;
end
`;
  const name = `function ${qualified(table.schema, `${names.capture}${suffix}`)}()`;
  return {
    name,
    body,
    create: [
      `create ${name} returns trigger security definer language plpgsql as ${quoteText(body)}`,
      `revoke all on ${name} from public`,
    ],
  };
}
