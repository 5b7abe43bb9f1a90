import type { Vendor } from '../../domain/restaurant.ts';
import type { Clock } from '../../http/clock.ts';
import type { Operator, Reading, ReadOptions, UnknownValue } from '../../operator/operator.ts';
import { entryKey } from '../../store/menu-store.ts';
import type { ReadSubject } from '../contract/menu-service.ts';
import type { EntryCache } from '../entry/entry-cache.ts';
import { type Dated, successKind } from '../entry/entry-kinds.ts';
import type { Freshness } from '../entry/freshness.ts';
import type { OperatorGate, ReadOutcome } from './operator-gate.ts';

/** What all caches of one operator's data share. */
export interface OperatorReaderOptions {
  readonly gate: OperatorGate;
  readonly cache: EntryCache;
  readonly clock: Clock;
  readonly freshness: Freshness;
  /** How long one answer may wait for the operator. */
  readonly deadlineMs: number;
  readonly onDroppedRows: (vendor: Vendor, droppedRows: number) => void;
  readonly onUnknownValue: (vendor: Vendor, unknown: UnknownValue) => void;
  /** Called before a question causes a reading; throws if it must not. */
  readonly admitReading: () => Promise<void>;
}

export type Priority = NonNullable<ReadOptions['priority']>;

const NOTE_SUCCESS_EVERY_MS = 60_000;

/** Unknown values that are told; more of them are not values but texts. */
const MAX_TOLD = 100;

/** Reads from one operator through its gate, and reports dropped rows and the last success. */
export class OperatorReader {
  readonly vendor: Vendor;
  readonly gate: OperatorGate;
  readonly cache: EntryCache;
  readonly clock: Clock;
  readonly freshness: Freshness;
  readonly deadlineMs: number;
  readonly admitReading: OperatorReaderOptions['admitReading'];
  readonly #onDroppedRows: OperatorReaderOptions['onDroppedRows'];
  readonly #onUnknownValue: OperatorReaderOptions['onUnknownValue'];
  readonly #told = new Set<string>();
  #notedSuccessAtMs = 0;

  constructor(options: OperatorReaderOptions) {
    this.vendor = options.gate.operator.vendor;
    this.gate = options.gate;
    this.cache = options.cache;
    this.clock = options.clock;
    this.freshness = options.freshness;
    this.deadlineMs = options.deadlineMs;
    this.admitReading = options.admitReading;
    this.#onDroppedRows = options.onDroppedRows;
    this.#onUnknownValue = options.onUnknownValue;
  }

  /** @param outcomeOf how much of a value was read */
  async read<T>(
    what: ReadSubject,
    read: (operator: Operator, options: ReadOptions) => Promise<Reading<T>>,
    priority: Priority,
    outcomeOf: (value: T) => ReadOutcome | undefined = () => undefined,
  ): Promise<Reading<T>> {
    const reading = await this.gate.read(what, read, priority, ({ value }) => outcomeOf(value));
    if (reading.droppedRows > 0) this.#onDroppedRows(this.vendor, reading.droppedRows);
    for (const unknown of reading.unknownValues ?? []) this.#tell(unknown);
    await this.#noteSuccess();
    return reading;
  }

  /** Rows say the same again and again: each value is told once. */
  #tell(unknown: UnknownValue): void {
    const name = `${unknown.member} ${unknown.value}`;
    if (this.#told.has(name) || this.#told.size >= MAX_TOLD) return;
    this.#told.add(name);
    this.#onUnknownValue(this.vendor, unknown);
  }

  /** The last success recorded by any process, milliseconds since the epoch. */
  async lastSuccessAtMs(): Promise<number | undefined> {
    return (await this.cache.peek(entryKey('operator', this.vendor), successKind))?.fetchedAtMs;
  }

  /** The value as read now. */
  dated<T>(value: T, incomplete = false): Dated<T> {
    return { value, fetchedAtMs: this.clock.nowMs(), ...(incomplete ? { incomplete } : {}) };
  }

  /** Now and then stores the time of the last success, for the other processes and the next start. */
  async #noteSuccess(): Promise<void> {
    const lastMs = this.gate.lastSuccessAtMs;
    if (lastMs === undefined || lastMs - this.#notedSuccessAtMs < NOTE_SUCCESS_EVERY_MS) return;
    this.#notedSuccessAtMs = lastMs;
    await this.cache.put(entryKey('operator', this.vendor), successKind, {
      value: null,
      fetchedAtMs: lastMs,
    });
  }
}

/** What was read, plus what was known before and may be among the dropped rows. */
export function withLost<T>(
  { value, droppedRows }: Reading<readonly T[]>,
  before: readonly T[] | undefined,
  keyOf: (item: T) => string,
): readonly T[] {
  if (droppedRows === 0 || before === undefined) return value;
  const keys = new Set(value.map(keyOf));
  const lost = before.filter((item) => !keys.has(keyOf(item)));
  return lost.length <= droppedRows ? [...value, ...lost] : value;
}
