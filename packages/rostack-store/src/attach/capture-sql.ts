import { escapeIdentifier, escapeLiteral } from 'pg';
import { deleteBody, insertBody, rowBody, settleBody, updateBody } from './capture-body.ts';
import { type Installation, qualified } from './installation.ts';
import { createRowTypeSql } from './row-type.ts';
import { keyColumns, keyTypeOf } from './table-key.ts';

/**
 * Kinds of rows: `w` written, `t` truncated, `e` something that could not be captured. A row of kind `w` tells of `size` rows of the
 * table: of keys that are gone, then of rows as they are.
 * The number is taken while the writer holds the locks of the changed rows, so it ascends for each row in commit order; over several
 * rows it does not. A vacuum that truncates would make writers wait.
 */
export function inboxSql(installation: Installation): readonly string[] {
  const { schema, names, columns } = installation;
  const composite = qualified(schema, names.keyType);
  const inbox = qualified(schema, names.inbox);
  const rowType = qualified(schema, names.rowType);
  return [
    ...(hasKeyType(installation) ? [createRowTypeSql(composite, keyColumns(installation))] : []),
    createRowTypeSql(rowType, columns),
    `create table ${inbox} (
      number bigint generated always as identity primary key,
      xid xid8 not null default pg_catalog.pg_current_xact_id(),
      kind "char" not null,
      size int not null,
      gone ${keyTypeOf(installation, composite)}[],
      rows ${rowType}[]
    ) with (toast_tuple_target = 8160, vacuum_truncate = false, toast.vacuum_truncate = false, autovacuum_vacuum_scale_factor = 0,
      autovacuum_vacuum_threshold = 10000, autovacuum_vacuum_insert_threshold = -1, autovacuum_analyze_scale_factor = 0,
      autovacuum_analyze_threshold = 100000)`,
    `alter table ${inbox} alter gone set storage external`,
    // To compress what is deleted within a second costs the writer less than to write it, with lz4 only.
    `do $$ begin
      alter table ${inbox} alter rows set storage extended, alter rows set compression lz4;
    exception when feature_not_supported then
      alter table ${inbox} alter rows set storage external;
    end $$`,
    `revoke all on ${inbox} from public`,
  ];
}

/** Whether the key has several columns, and so a type of its own. */
export function hasKeyType(installation: Installation): boolean {
  return keyColumns(installation).length > 1;
}

interface InstalledFunction {
  readonly name: string;
  readonly body: string;
}

/** A table whose rows alone have triggers takes one. */
export function functionsOf(installation: Installation): readonly InstalledFunction[] {
  const { names, isChild } = installation;
  const ofRows = { name: names.capture, body: rowBody(installation) };
  if (isChild) return [ofRows];
  return [
    ofRows,
    { name: names.settle, body: settleBody(installation) },
    { name: names.captureInsert, body: insertBody(installation) },
    { name: names.captureUpdate, body: updateBody(installation) },
    { name: names.captureDelete, body: deleteBody(installation) },
  ];
}

/** Settling has to find rows by the index, however small the table was when its statement was planned, and must not miss any. */
export function captureSql(installation: Installation): readonly string[] {
  const { schema, names } = installation;
  const keyType = keyTypeOf(installation, qualified(schema, names.keyType));
  const settle = `(keys ${keyType}[], out gone ${keyType}[], out rows ${qualified(schema, names.rowType)}[])
    set enable_seqscan = off set plan_cache_mode = force_generic_plan set row_security = off`;
  return functionsOf(installation).flatMap(({ name, body }) => {
    const declaration = name === names.settle ? settle : '() returns trigger security definer';
    const named = qualified(schema, name);
    return [
      `create function ${named}${declaration} language plpgsql as ${escapeLiteral(body)}`,
      `revoke all on function ${named} from public`,
    ];
  });
}

/** A trigger, and in which `session_replication_role` it fires. */
interface InstalledTrigger {
  readonly name: string;
  readonly executes: string;
  readonly event: string;
  readonly enable: 'origin' | 'always' | 'replica';
}

export function triggersOf({
  names,
  isChild,
}: Pick<Installation, 'names' | 'isChild'>): readonly InstalledTrigger[] {
  const ofStatements: readonly InstalledTrigger[] = [
    {
      name: names.insertTrigger,
      executes: names.captureInsert,
      event: 'insert on TABLE referencing new table as new_table for each statement',
      enable: 'origin',
    },
    {
      name: names.updateTrigger,
      executes: names.captureUpdate,
      event: 'update on TABLE referencing old table as old_table new table as new_table for each statement',
      enable: 'origin',
    },
    {
      name: names.deleteTrigger,
      executes: names.captureDelete,
      event: 'delete on TABLE referencing old table as old_table for each statement',
      enable: 'origin',
    },
  ];
  return [
    ...(isChild ? [] : ofStatements),
    {
      name: names.rowTrigger,
      executes: names.capture,
      event: 'insert or update or delete on TABLE for each row',
      enable: isChild ? 'always' : 'replica',
    },
    {
      name: names.truncateTrigger,
      executes: names.capture,
      event: 'truncate on TABLE for each statement',
      enable: 'always',
    },
  ];
}

/** Each change fires one of them, and also what a subscription of logical replication writes does. */
export function triggerSql(installation: Installation): readonly string[] {
  const { schema, source } = installation;
  const table = qualified(source.schema, source.table);
  return triggersOf(installation).flatMap(({ name, executes, event, enable }) => {
    const trigger = escapeIdentifier(name);
    const create = `create trigger ${trigger} after ${event.replace('TABLE', () => table)} execute function ${qualified(schema, executes)}()`;
    return enable === 'origin'
      ? [create]
      : [create, `alter table ${table} enable ${enable} trigger ${trigger}`];
  });
}
