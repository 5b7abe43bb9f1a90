import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { Position } from 'rostack-core';
import { type Query, run, type Work } from '../database/database.ts';
import { type ColumnType, type Compiled, type Dialect, once } from '../database/dialect.ts';
import { DefinitionChangedError } from '../errors/index.ts';
import { columnList, keyColumns, LOG_COLUMNS, VERSION_COLUMNS } from '../schema/tables.ts';
import type { ChangeResult } from './change.ts';
import { planBatch, ResourcePlan, type Standing } from './plan.ts';
import type { PreparedChange, StoredResource } from './prepare-change.ts';

/** What became of one batch of a transaction. */
export type BatchOutcome = { readonly results: readonly ChangeResult[] } | { readonly error: unknown };

/** What a transaction did. */
export interface Written {
  /** One per batch, in order. */
  readonly outcomes: readonly BatchOutcome[];
  /** Names of the resources whose head moved. */
  readonly moved: readonly string[];
}

/**
 * Writes batches in one transaction. Each stands or fails for itself; a failing one leaves no trace.
 * The heads stay locked, in the order of the names, until the transaction ends: so positions are dense and in commit order.
 */
export function* writeBatches(
  dialect: Dialect,
  batches: readonly (readonly PreparedChange[])[],
  nowMs: number,
): Work<Written> {
  const { targets, ids } = gather(batches);
  const heads = yield* lockHeads(dialect, [...targets.values()]);
  const plans = new Map<string, ResourcePlan>();
  for (const target of targets.values()) {
    const { name } = target.resource;
    const head = heads.get(name);
    if (head === undefined || head.fields !== target.tables.fieldsText)
      throw new DefinitionChangedError(name);
    const standing = yield* loadStanding(dialect, target, ids.get(name) ?? []);
    plans.set(name, new ResourcePlan(head.epoch, head.position, standing));
  }
  const outcomes = batches.map((batch): BatchOutcome => {
    try {
      return { results: planBatch(batch, plans) };
    } catch (error) {
      return { error };
    }
  });
  const moved: string[] = [];
  for (const [name, plan] of plans) {
    const target = targets.get(name);
    if (plan.entries.length === 0 || target === undefined) continue;
    yield* writePlan(dialect, target, plan, nowMs);
    moved.push(name);
  }
  return { outcomes, moved };
}

function gather(batches: readonly (readonly PreparedChange[])[]): {
  readonly targets: ReadonlyMap<string, StoredResource>;
  readonly ids: ReadonlyMap<string, readonly string[]>;
} {
  const targets = new Map<string, StoredResource>();
  const ids = new Map<string, Set<string>>();
  for (const { target, id } of batches.flat()) {
    const { name } = target.resource;
    targets.set(name, target);
    const known = ids.get(name);
    if (known === undefined) ids.set(name, new Set([id]));
    else known.add(id);
  }
  return { targets, ids: new Map([...ids].map(([name, set]) => [name, [...set]])) };
}

interface HeadRow {
  readonly name: string;
  readonly position: Position;
  readonly epoch: string;
  readonly fields: string;
}

function* lockHeads(
  dialect: Dialect,
  targets: readonly StoredResource[],
): Work<ReadonlyMap<string, HeadRow>> {
  const names = targets.map(({ resource }) => resource.name);
  if (names.length === 0) return new Map();
  const head = dialect.table('head');
  const rows = yield* run<HeadRow>(
    once(
      dialect,
      sql`select name, position, fields, (select epoch from ${dialect.table('state')}) as epoch from ${head}
        where name in (${sql.join(names)}) order by name ${dialect.forUpdate}`,
    ),
  );
  return new Map(rows.map((row) => [row.name, row]));
}

function* loadStanding(
  dialect: Dialect,
  target: StoredResource,
  ids: readonly string[],
): Work<Map<string, Standing | undefined>> {
  const standing = new Map<string, Standing | undefined>();
  const rows = ids.map((id) => [id]);
  const found = yield* run<{ id: string; version: string; position: Position; body: string }>(
    each(statementsOf(dialect, target).load, rows),
  );
  for (const { id, ...version } of found) standing.set(id, { ...version, written: undefined });
  return standing;
}

function* writePlan(dialect: Dialect, target: StoredResource, plan: ResourcePlan, nowMs: number): Work<void> {
  const statements = statementsOf(dialect, target);
  const stored = plan.closings.filter(({ standing }) => standing.written === undefined);
  yield* runEach(
    statements.closeStored,
    stored.map(({ id, toPosition }) => [toPosition, id]),
  );
  const passing = plan.closings.flatMap(
    ({ id, toPosition, standing: { written, version, position, body } }) =>
      written === undefined ? [] : [[toPosition, position, id, version, body, ...written.keys]],
  );
  yield* runEach(statements.closePassing, passing);
  const puts: unknown[][] = [];
  const deletes: unknown[][] = [];
  for (const id of plan.touched) {
    const standing = plan.standing(id);
    if (standing?.written === undefined) deletes.push([id]);
    else puts.push([standing.position, id, standing.version, standing.body, ...standing.written.keys]);
  }
  yield* runEach(statements.put, puts);
  yield* runEach(statements.remove, deletes);
  yield* runEach(
    statements.append,
    plan.entries.map((entry) => [
      entry.position,
      entry.id,
      entry.eventType,
      entry.transition,
      entry.version,
      nowMs,
      entry.closedBytes,
    ]),
  );
  yield* run(
    once(
      dialect,
      sql`update ${dialect.table('head')} set position = ${plan.position}, closed_bytes = closed_bytes + ${plan.closedBytes}
        where number = ${target.tables.number}`,
    ),
  );
}

function each(statement: Compiled, rows: readonly (readonly unknown[])[]): Query {
  return { kind: 'each', sql: statement.sql, rows };
}

function* runEach(statement: Compiled, rows: readonly (readonly unknown[])[]): Work<void> {
  if (rows.length > 0) yield* run(each(statement, rows));
}

/** The statements that write one resource; each runs once per row. */
interface WriteStatements {
  readonly load: Compiled;
  readonly closeStored: Compiled;
  readonly closePassing: Compiled;
  readonly put: Compiled;
  readonly remove: Compiled;
  readonly append: Compiled;
}

const compiled = new WeakMap<StoredResource, WriteStatements>();

function statementsOf(dialect: Dialect, target: StoredResource): WriteStatements {
  const known = compiled.get(target);
  if (known !== undefined) return known;
  const statements = compileStatements(dialect, target);
  compiled.set(target, statements);
  return statements;
}

function compileStatements(dialect: Dialect, { tables }: StoredResource): WriteStatements {
  const compile = (statement: RawBuilder<unknown>): Compiled => statement.compile(dialect.builder);
  const keys = keyColumns(tables.fields);
  const types = (columns: readonly { readonly type: ColumnType }[]) => columns.map(({ type }) => type);
  const record = dialect.table(tables.record);
  const past = dialect.table(tables.past);
  const copied = columnList([...VERSION_COLUMNS, ...keys]);
  const written = columnList([...VERSION_COLUMNS, ...keys].filter(({ name }) => name !== 'id'));
  const replaced = [{ name: 'position' }, { name: 'version' }, { name: 'body' }, ...keys].map(
    ({ name }) => sql`${sql.ref(name)} = excluded.${sql.ref(name)}`,
  );
  const isSqlite = dialect.name === 'sqlite';
  return {
    load: compile(
      sql`select id, version, position, body from ${record} where id ${isSqlite ? sql`= ${null}` : sql`= any(${null}::text[])`}`,
    ),
    closeStored: compile(
      isSqlite
        ? sql`insert into ${past} (to_position, from_position, ${copied}) select ${null}, position, ${copied} from ${record} where id = ${null}`
        : sql`insert into ${past} (to_position, from_position, id, ${written})
            select closing.to_position, position, id, ${written} from ${record}
            join unnest(${null}::bigint[], ${null}::text[]) as closing (to_position, closed_id) on closing.closed_id = id`,
    ),
    closePassing: compile(
      sql`insert into ${past} (to_position, from_position, ${copied})
        ${dialect.rowsOf(['bigint', 'bigint', ...types(VERSION_COLUMNS), ...types(keys)])}`,
    ),
    put: compile(
      sql`insert into ${record} (position, ${copied}) ${dialect.rowsOf(['bigint', ...types(VERSION_COLUMNS), ...types(keys)])}
        on conflict (id) do update set ${sql.join(replaced)}`,
    ),
    remove: compile(
      sql`delete from ${record} where id ${isSqlite ? sql`= ${null}` : sql`= any(${null}::text[])`}`,
    ),
    append: compile(
      sql`insert into ${dialect.table(tables.log)} (${columnList(LOG_COLUMNS)}) ${dialect.rowsOf(types(LOG_COLUMNS))}`,
    ),
  };
}
