import { send, type Work } from '../../drivers/database.ts';
import type { Dialect } from '../../drivers/dialect/dialect.ts';
import { once, sql } from '../../drivers/dialect/sql.ts';
import { DefinitionChangedError } from '../../errors/index.ts';
import type { MovedLog } from '../../log/watch/moved-log.ts';
import type { StoredResource } from '../../schema/stored-resource.ts';
import type { ChangeResult } from './change.ts';
import { committedBy } from './committed-by.ts';
import { lockHeads } from './lock-heads.ts';
import { planBatch, ResourcePlan } from './plan.ts';
import type { PreparedChange } from './prepare-change.ts';
import { loadStored, type StoredVersions } from './stored-versions.ts';
import { each, type RowStatement, type WriteStatements, writeStatements } from './write-statements.ts';

/** The outcome of one batch of a transaction. */
export type BatchOutcome = { readonly results: readonly ChangeResult[] } | { readonly error: unknown };

/** What a transaction did. */
export interface WrittenBatches {
  /** One per batch, in order. */
  readonly outcomes: readonly BatchOutcome[];
  readonly moved: readonly MovedLog[];
}

/** How a transaction is written. */
export interface WriteOptions {
  /** The current versions of the records to write, of one resource. @default they are read */
  readonly known?: StoredVersions | undefined;
  /** Whether `moved` contains the changes, so that they need not be read. @default true */
  readonly handsOver?: boolean;
}

/**
 * Writes batches in one transaction. A batch that fails leaves no trace; the others are written. The heads stay locked, in the order of the
 * names, until the transaction ends, so positions have no gaps and are in commit order.
 * @param tag of the transaction, see `newTag`
 */
export function* writeBatches(
  dialect: Dialect,
  batches: readonly (readonly PreparedChange[])[],
  nowMs: number,
  tag: string,
  { known, handsOver = true }: WriteOptions = {},
): Work<WrittenBatches> {
  const { targets, wanted } = gather(batches);
  if (targets.size === 0) return { outcomes: batches.map(() => ({ results: [] })), moved: [] };
  const locked = yield* lockHeads(dialect, [...targets.values()], handsOver);
  const loading = new Map<StoredResource, () => Work<StoredVersions>>();
  const load = function* (target: StoredResource): Work<() => Work<StoredVersions>> {
    return yield* loadStored(dialect, target, wanted.get(target.resource.name) ?? new Map());
  };
  // If no keys are read, the statement does not depend on the fields, so it need not wait for the heads.
  if (known === undefined && dialect.writes.comparable === undefined)
    for (const target of targets.values()) loading.set(target, yield* load(target));
  const heads = yield* locked();
  const plans = new Map<string, ResourcePlan>();
  const rows = new Map<string, StoredVersions['rows']>();
  for (const target of targets.values()) {
    const { name } = target.resource;
    const head = heads.get(name);
    if (head === undefined || head.fields !== target.tables.fieldsText)
      throw new DefinitionChangedError(name);
    const loaded = loading.get(target);
    const stored = known ?? (yield* (loaded ?? (yield* load(target)))());
    rows.set(name, stored.rows);
    plans.set(name, new ResourcePlan({ epoch: head.epoch, tag }, head.position, stored.standing));
  }
  const outcomes = batches.map((batch): BatchOutcome => {
    try {
      return { results: planBatch(batch, plans) };
    } catch (error) {
      return { error };
    }
  });
  const moved: MovedLog[] = [];
  for (const [name, plan] of plans) {
    const target = targets.get(name);
    const head = heads.get(name);
    if (plan.entries.length === 0 || target === undefined || head === undefined) continue;
    yield* writePlan(dialect, target, plan, rows.get(name) ?? new Map(), nowMs);
    moved.push({ resource: name, committed: handsOver ? committedBy(plan, head, nowMs) : undefined });
  }
  return { outcomes, moved };
}

/** What a transaction of one batch did. */
export interface Written {
  readonly results: readonly ChangeResult[];
  readonly moved: readonly MovedLog[];
}

/** Writes one batch in a transaction; its faults are thrown. `tag` as in `writeBatches`. */
export function* writeAlone(
  dialect: Dialect,
  batch: readonly PreparedChange[],
  nowMs: number,
  tag: string,
  options: WriteOptions = {},
): Work<Written> {
  const { outcomes, moved } = yield* writeBatches(dialect, [batch], nowMs, tag, options);
  const [outcome] = outcomes;
  if (outcome === undefined) throw new Error('the transaction returned no outcome for the batch');
  if ('error' in outcome) throw outcome.error;
  return { results: outcome.results, moved };
}

/** Most UTF-8 bytes of a UTF-16 code unit. */
const UNIT_BYTES = 3;
/** A state this small is always read, since it is handed over with the change that ends it. */
const SMALL_BYTES = 2_048;

function gather(batches: readonly (readonly PreparedChange[])[]): {
  readonly targets: ReadonlyMap<string, StoredResource>;
  /** By resource and id, the most bytes of a body that is read: those of the largest new body, or a few. */
  readonly wanted: ReadonlyMap<string, ReadonlyMap<string, number>>;
} {
  const targets = new Map<string, StoredResource>();
  const wanted = new Map<string, Map<string, number>>();
  for (const { target, id, record } of batches.flat()) {
    const { name } = target.resource;
    targets.set(name, target);
    const known = wanted.get(name) ?? new Map<string, number>();
    wanted.set(name, known);
    const bytes = UNIT_BYTES * (record?.body.length ?? 0);
    known.set(id, Math.max(bytes, known.get(id) ?? SMALL_BYTES));
  }
  return { targets, wanted };
}

function* writePlan(
  dialect: Dialect,
  target: StoredResource,
  plan: ResourcePlan,
  rows: StoredVersions['rows'],
  nowMs: number,
): Work<void> {
  const statements = writeStatements(dialect, target);
  yield* closeVersions(statements, plan, rows);
  yield* writeRecords(statements, plan, rows);
  yield* sendEach(
    statements.append,
    plan.entries.map((entry) => [
      entry.position,
      entry.id,
      entry.eventType,
      entry.transition,
      entry.version,
      entry.occurredAtMs ?? nowMs,
      entry.closedBytes,
    ]),
  );
  const advance = once(
    dialect,
    sql`update ${dialect.table('head')} set position = ${plan.position}, closed_bytes = closed_bytes + ${plan.closedBytes}
      where number = ${target.tables.number}`,
  );
  yield* send({ ...advance, isKept: true });
}

function* writeRecords(
  statements: WriteStatements,
  plan: ResourcePlan,
  rows: StoredVersions['rows'],
): Work<void> {
  const inserts: unknown[][] = [];
  const puts: unknown[][] = [];
  const deletes: unknown[][] = [];
  const replacements = new Map<RowStatement, unknown[][]>();
  for (const id of plan.touched) {
    const standing = plan.standing(id);
    const keys = standing?.written?.keys;
    if (standing === undefined || keys === undefined) {
      deletes.push([id]);
      continue;
    }
    const { position, version, body } = standing;
    const before = rows.get(id);
    if (before?.orderKeys === undefined) {
      // The head's lock has been held since this was read, so no other transaction writes records.
      const list = before === undefined ? inserts : puts;
      list.push([position, id, version, body, ...keys]);
      continue;
    }
    const orderKeys = keys.filter((_, at) => at % 2 === 0);
    const detailKeys = keys.filter((_, at) => at % 2 === 1);
    const changed = changedFields(before.orderKeys, orderKeys);
    const statement = statements.replace(changed);
    const values = [
      position,
      version,
      body,
      ...detailKeys,
      ...changed.map((at) => orderKeys[at]),
      before.row,
    ];
    const known = replacements.get(statement);
    if (known === undefined) replacements.set(statement, [values]);
    else known.push(values);
  }
  yield* sendEach(statements.insert, inserts);
  yield* sendEach(statements.put, puts);
  for (const [statement, values] of replacements) yield* sendEach(statement, values);
  yield* sendEach(statements.remove, deletes);
}

function* closeVersions(
  statements: WriteStatements,
  { closings }: ResourcePlan,
  rows: StoredVersions['rows'],
): Work<void> {
  const stored: unknown[][] = [];
  const passing: unknown[][] = [];
  for (const { id, toPosition, standing } of closings) {
    const { written, version, position, body } = standing;
    if (written === undefined) stored.push([toPosition, rows.get(id)?.row]);
    else passing.push([toPosition, position, id, version, body, ...written.keys]);
  }
  yield* sendEach(statements.closeStored, stored);
  yield* sendEach(statements.closePassing, passing);
}

/** Indexes of the fields whose order key has changed. */
function changedFields(before: readonly unknown[], after: readonly (Buffer | null)[]): number[] {
  return [...after.keys()].filter((at) => after[at]?.toString('hex') !== before[at]);
}

function* sendEach(statement: RowStatement, rows: readonly (readonly unknown[])[]): Work<void> {
  if (rows.length > 0) yield* send(each(statement, rows));
}
