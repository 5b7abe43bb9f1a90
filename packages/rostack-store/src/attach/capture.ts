import { escapeIdentifier, escapeLiteral } from 'pg';
import { inboxOf } from './inbox.ts';
import { type Installation, qualified } from './installation.ts';
import { imageExpression } from './row-image.ts';
import { findsKey, idExpression, isSameKey, keyFields, keyNames } from './table-key.ts';

/** Rows of the table in one row of the inbox, at most. */
const CHUNK_ROWS = 200;

/** What changed: a select of ids and of images, null where no row has the id any more. */
interface Source {
  readonly changes: string;
  /** SQL: whether rows may have other keys than before. */
  readonly isMoved?: string;
}

/** SQL: the client's statement, which nested ones share; no setting of the session changes the text. */
const MOMENT = 'extract(epoch from pg_catalog.statement_timestamp())::pg_catalog.text';

/**
 * The body of a trigger's function. What a statement's transition tables tell is older than what a nested statement (of an application's
 * trigger, of a function that the statement calls) did to the same rows. That one was captured before, within the same statement of the
 * client, and set the marker. Then, and when keys have changed, the query looks under each key instead. So what is captured last of a key
 * is what its last change left.
 *
 * What fails while changes are read does not hinder the writer: the table is read again. A statement of one chunk writes to the inbox
 * outside of the block that catches errors, and so takes no transaction id for a subtransaction. Of a larger one, no more than a chunk is
 * in memory.
 */
function captureBody(installation: Installation, { changes, isMoved = 'false' }: Source): string {
  const inbox = inboxOf(installation);
  const marker = escapeLiteral(installation.names.marker);
  const chunk = `(pg_catalog.row_number() over () operator(pg_catalog.-) 1) operator(pg_catalog./) ${CHUNK_ROWS}`;
  const told = `pg_catalog.count(*), pg_catalog.array_agg(c.id) filter (where c.image is null),
        pg_catalog.array_agg(c.image) filter (where c.image is not null)`;
  const keep = `insert into ${inbox} (kind, size, gone, rows) values (v_kind, v_size, v_gone, v_rows)`;
  return `<<capture>>
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
    insert into ${inbox} (kind, size) values ('t', 1);
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
}

/** A row that a nested statement has replaced by now is told as that one left it. */
function rowSource(installation: Installation): Source {
  const keys = (row: string) =>
    keyNames(installation.source)
      .map((name) => `${row}.${escapeIdentifier(name)} as ${escapeIdentifier(name)}`)
      .join(', ');
  const isSame = isSameKey(installation, keyFields(installation, 'OLD'), keyFields(installation, 'NEW'));
  return {
    changes: `select ${idOf(installation)} as id, ${settled(installation)} as image from (
      select ${keys('NEW')} where TG_OP operator(pg_catalog.<>) 'DELETE' union all
      select ${keys('OLD')} where TG_OP operator(pg_catalog.<>) 'INSERT' and (TG_OP operator(pg_catalog.=) 'DELETE' or not ${isSame})) r`,
  };
}

function idOf(installation: Installation): string {
  return idExpression(installation, keyFields(installation, 'r'));
}

/** SQL: the image of the row that now has the key of another one, or null. */
function settled(installation: Installation): string {
  const { source } = installation;
  const [fields, others] = [keyFields(installation, 't'), keyFields(installation, 'r')];
  return `(select ${imageExpression(installation, 't')} from only ${qualified(source.schema, source.table)} t
    where ${findsKey(fields, others)} and ${isSameKey(installation, fields, others)})`;
}

/** A trigger with its function, and in which `session_replication_role` it fires. */
interface Capture {
  readonly trigger: string;
  readonly event: string;
  readonly enable: 'origin' | 'always' | 'replica';
  readonly functionName: string;
  readonly body: string;
}

/** Each change fires one of them, and also what a subscription of logical replication writes does, which fires no triggers of statements. */
export function capturesOf(installation: Installation): readonly Capture[] {
  const { names, isChild } = installation;
  const [id, settles, image] = [
    idOf(installation),
    settled(installation),
    imageExpression(installation, 'r'),
  ];
  const present = `select ${id} as id, case when capture.is_doubtful then ${settles} else ${image} end as image from new_table r`;
  const [old, now] = ['old table as old_table', 'new table as new_table'];
  const ofStatement = (kind: string, referencing: string, source: Source): Capture => ({
    trigger: `${names.triggers}${kind}`,
    event: `${kind} on TABLE referencing ${referencing} for each statement`,
    enable: 'origin',
    functionName: `${names.capture}_${kind}`,
    body: captureBody(installation, source),
  });
  const ofRows = {
    functionName: names.capture,
    body: captureBody(installation, rowSource(installation)),
  };
  const ofStatements = [
    ofStatement('insert', now, { changes: present }),
    ofStatement('update', `${old} ${now}`, {
      changes: `${present} union all select ${id}, ${settles} from old_table r where capture.is_moved`,
      isMoved: `array(select ${id} from old_table r) operator(pg_catalog.<>) array(select ${id} from new_table r)`,
    }),
    ofStatement('delete', old, {
      changes: `select ${id} as id, case when capture.is_doubtful then ${settles} end as image from old_table r`,
    }),
  ];
  return [
    ...(isChild ? [] : ofStatements),
    {
      ...ofRows,
      trigger: `${names.triggers}row`,
      event: 'insert or update or delete on TABLE for each row',
      enable: isChild ? 'always' : 'replica',
    },
    {
      ...ofRows,
      trigger: `${names.triggers}truncate`,
      event: 'truncate on TABLE for each statement',
      enable: 'always',
    },
  ];
}

/** The bodies of the functions, by name. */
export function functionsOf(installation: Installation): ReadonlyMap<string, string> {
  return new Map(capturesOf(installation).map(({ functionName, body }) => [functionName, body]));
}

/**
 * The texts of some types depend on the first two settings. With the others, rows are found by the index, however small the table was when
 * that was planned, and what a policy hides is an error, not gone.
 */
const SETTINGS = [
  'extra_float_digits = 1',
  `intervalstyle = 'iso_8601'`,
  'enable_seqscan = off',
  'plan_cache_mode = force_generic_plan',
  'row_security = off',
];

/** The triggers come last: only they need the table's lock. */
export function captureSql(installation: Installation): readonly string[] {
  const { schema, source } = installation;
  const table = qualified(source.schema, source.table);
  const settings = SETTINGS.map((setting) => `set ${setting}`).join(' ');
  const functions = [...functionsOf(installation)].flatMap(([name, body]) => {
    const named = qualified(schema, name);
    return [
      `create function ${named}() returns trigger security definer ${settings} language plpgsql as ${escapeLiteral(body)}`,
      `revoke all on function ${named} from public`,
    ];
  });
  const triggers = capturesOf(installation).flatMap(({ trigger, functionName, event, enable }) => {
    const named = escapeIdentifier(trigger);
    const create = `create trigger ${named} after ${event.replace('TABLE', () => table)} execute function ${qualified(schema, functionName)}()`;
    return enable === 'origin'
      ? [create]
      : [create, `alter table ${table} enable ${enable} trigger ${named}`];
  });
  return [...functions, ...triggers];
}
