import { escapeIdentifier, escapeLiteral } from 'pg';
import type { AttachedColumn, InstalledNames } from './attachment.ts';
import { expressionOf, settingsOf } from './column-type.ts';
import type { ResolvedSource } from './table-source.ts';

/** What the statements of an installation are made from. */
export interface Installation {
  /** The store's. */
  readonly schema: string;
  readonly names: InstalledNames;
  readonly source: ResolvedSource;
  /** The key comes first. */
  readonly columns: readonly AttachedColumn[];
}

export function qualified(schema: string, name: string): string {
  return `${escapeIdentifier(schema)}.${escapeIdentifier(name)}`;
}

/** SQL: an array with the text of every column, the key first. */
export function imageExpression(columns: readonly AttachedColumn[], row: string): string {
  const texts = columns.map(({ kind, isArray, column }) =>
    expressionOf(kind, isArray, `${row}.${escapeIdentifier(column)}`),
  );
  return `array[${texts.join(', ')}]::pg_catalog.text[]`;
}

/**
 * Kinds of rows: `w` written, `t` truncated, `e` an image that could not be made.
 * The number is taken while the writer holds the lock of the changed row, so it ascends for each row in commit order; over several
 * rows it does not.
 */
export function inboxSql({ schema, names }: Installation): readonly string[] {
  return [
    `create table ${qualified(schema, names.inbox)} (
      number bigint generated always as identity primary key,
      xid xid8 not null default pg_catalog.pg_current_xact_id(),
      kind "char" not null,
      gone_id text,
      id text,
      image text[]
    ) with (vacuum_truncate = false, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000,
      autovacuum_vacuum_insert_threshold = -1, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 100000)`,
    `revoke all on ${qualified(schema, names.inbox)} from public`,
  ];
}

/**
 * The function of both triggers. It runs as its owner, and looks nothing up by search path. A row that has been replaced by a nested
 * statement by the time its trigger fires is left to that statement's own; a key is gone only when no row has it any more.
 * Whatever goes wrong with an image does not hinder the writer: then the table is read again.
 */
export function captureBody({ schema, names, source, columns }: Installation): string {
  const [key] = columns;
  const column = escapeIdentifier(key?.column ?? source.key);
  const table = qualified(source.schema, source.table);
  return `
declare
  v_kind "char" := 'w';
  v_gone pg_catalog.text;
  v_id pg_catalog.text;
  v_image pg_catalog.text[];
begin
  if TG_LEVEL operator(pg_catalog.=) 'STATEMENT' then
    v_kind := 't';
  else
    begin
      if TG_OP operator(pg_catalog.<>) 'DELETE' then
        v_id := NEW.${column}::pg_catalog.text;
      end if;
      if TG_OP operator(pg_catalog.<>) 'INSERT' then
        v_gone := OLD.${column}::pg_catalog.text;
        if v_gone operator(pg_catalog.=) v_id then
          v_gone := null;
        elsif exists (select from only ${table} t where t.${column} operator(pg_catalog.=) OLD.${column}
            and t.${column}::pg_catalog.text collate pg_catalog."C" operator(pg_catalog.=) v_gone) then
          v_gone := null;
        end if;
      end if;
      if v_id is not null and NEW.xmax operator(pg_catalog.<>) 0 then
        if not exists (select from only ${table} t where t.ctid operator(pg_catalog.=) NEW.ctid) then
          v_id := null;
        end if;
      end if;
      if v_id is not null then
        v_image := ${imageExpression(columns, 'NEW')};
      end if;
      if v_id is null and v_gone is null then
        return null;
      end if;
    exception when others then
      v_kind := 'e';
      v_gone := null;
      v_id := null;
      v_image := null;
    end;
  end if;
  insert into ${qualified(schema, names.inbox)} (kind, gone_id, id, image) values (v_kind, v_gone, v_id, v_image);
  return null;
end
`;
}

export function captureSql(installation: Installation): readonly string[] {
  const { schema, names, columns } = installation;
  const capture = `${qualified(schema, names.capture)}()`;
  const settings = [...settingsOf(columns)].map(([name, value]) => `set ${name} = ${escapeLiteral(value)}`);
  return [
    `create function ${capture} returns trigger language plpgsql security definer ${settings.join(' ')}
      as ${escapeLiteral(captureBody(installation))}`,
    `revoke all on function ${capture} from public`,
  ];
}

/** The triggers also fire for what a subscription of logical replication writes. */
export function triggerSql({ schema, names, source }: Installation): readonly string[] {
  const table = qualified(source.schema, source.table);
  const capture = `${qualified(schema, names.capture)}()`;
  const [row, truncate] = [escapeIdentifier(names.rowTrigger), escapeIdentifier(names.truncateTrigger)];
  return [
    `create trigger ${row} after insert or update or delete on ${table} for each row execute function ${capture}`,
    `create trigger ${truncate} after truncate on ${table} for each statement execute function ${capture}`,
    `alter table ${table} enable always trigger ${row}`,
    `alter table ${table} enable always trigger ${truncate}`,
  ];
}
