import { sql } from 'kysely';
import type { Position } from 'rostack-core';
import { type Query, type Row, run, type Work } from '../database/database.ts';
import { type Compiled, type Dialect, once } from '../database/dialect.ts';
import { DefinitionChangedError } from '../errors/index.ts';
import { keyColumns } from '../schema/tables.ts';
import type { ChangeResult } from './change.ts';
import { planBatch, ResourcePlan, type Standing } from './plan.ts';
import type { PreparedChange, StoredResource } from './prepare-change.ts';
import { type WriteStatements, writeStatements } from './write-statements.ts';

type Key = Buffer | null;

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
  const keys = new Map<string, Stored['keys']>();
  for (const target of targets.values()) {
    const { name } = target.resource;
    const head = heads.get(name);
    if (head === undefined || head.fields !== target.tables.fieldsText)
      throw new DefinitionChangedError(name);
    const stored = yield* loadStored(dialect, target, ids.get(name) ?? []);
    keys.set(name, stored.keys);
    plans.set(name, new ResourcePlan(head.epoch, head.position, stored.standing));
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
    yield* writePlan(dialect, target, plan, keys.get(name) ?? new Map(), nowMs);
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

/** The current versions of the records, and their keys where these are worth comparing. */
interface Stored {
  readonly standing: Map<string, Standing | undefined>;
  readonly keys: ReadonlyMap<string, readonly Key[]>;
}

function* loadStored(dialect: Dialect, target: StoredResource, ids: readonly string[]): Work<Stored> {
  const standing = new Map<string, Standing | undefined>();
  const keys = new Map<string, readonly Key[]>();
  const columns = keyColumns(target.tables.fields);
  const rows = yield* run<Row & Omit<Standing, 'written'> & { readonly id: string }>(
    each(
      writeStatements(dialect, target).load,
      ids.map((id) => [id]),
    ),
  );
  for (const row of rows) {
    const { id, version, position, body } = row;
    standing.set(id, { version, position, body, written: undefined });
    if (dialect.name === 'sqlite')
      keys.set(
        id,
        columns.map(({ name }) => row[name] as Key),
      );
  }
  return { standing, keys };
}

function* writePlan(
  dialect: Dialect,
  target: StoredResource,
  plan: ResourcePlan,
  storedKeys: Stored['keys'],
  nowMs: number,
): Work<void> {
  const statements = writeStatements(dialect, target);
  yield* closeVersions(statements, plan);
  const puts: unknown[][] = [];
  const deletes: unknown[][] = [];
  const replacements = new Map<Compiled, unknown[][]>();
  for (const id of plan.touched) {
    const standing = plan.standing(id);
    const keys = standing?.written?.keys;
    if (standing === undefined || keys === undefined) {
      deletes.push([id]);
      continue;
    }
    const { position, version, body } = standing;
    const before = storedKeys.get(id);
    if (before === undefined) {
      puts.push([position, id, version, body, ...keys]);
      continue;
    }
    const changed = changedFields(before, keys);
    const statement = statements.replace(changed);
    const rows = replacements.get(statement) ?? [];
    rows.push([position, version, body, ...changed.flatMap((at) => keys.slice(at * 2, at * 2 + 2)), id]);
    replacements.set(statement, rows);
  }
  yield* runEach(statements.put, puts);
  for (const [statement, rows] of replacements) yield* runEach(statement, rows);
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

function* closeVersions(statements: WriteStatements, { closings }: ResourcePlan): Work<void> {
  const stored: unknown[][] = [];
  const passing: unknown[][] = [];
  for (const { id, toPosition, standing } of closings) {
    const { written, version, position, body } = standing;
    if (written === undefined) stored.push([toPosition, id]);
    else passing.push([toPosition, position, id, version, body, ...written.keys]);
  }
  yield* runEach(statements.closeStored, stored);
  yield* runEach(statements.closePassing, passing);
}

/** Places of the fields with another order key or detail key than before. */
function changedFields(before: readonly Key[], after: readonly Key[]): number[] {
  const changed: number[] = [];
  for (let at = 0; at * 2 < after.length; at += 1) {
    const isSame = [at * 2, at * 2 + 1].every((key) => isSameKey(before[key] ?? null, after[key] ?? null));
    if (!isSame) changed.push(at);
  }
  return changed;
}

function isSameKey(a: Key, b: Key): boolean {
  return a === null || b === null ? a === b : a.equals(b);
}

function each(statement: Compiled, rows: readonly (readonly unknown[])[]): Query {
  return { kind: 'each', sql: statement.sql, rows };
}

function* runEach(statement: Compiled, rows: readonly (readonly unknown[])[]): Work<void> {
  if (rows.length > 0) yield* run(each(statement, rows));
}
