import type { StoreAlarm } from '../../errors/index.ts';
import type { Refusal } from '../batch/batch.ts';

import { type ResolvedSource, tableNameOf } from '../source/table-source.ts';
import { KeptFault } from './kept-fault.ts';
import type { MoverState, MoverStatus } from './mover-status.ts';

type Kept = Omit<MoverStatus, 'fault' | 'oldestUnmovedMs'>;

/** The status of one runner: its state, its counters, and alarms, each raised once per reason. */
export class RunnerStatus {
  readonly #table: string;
  readonly #onAlarm: (alarm: StoreAlarm) => void;
  readonly fault: KeptFault;
  #kept: Kept;
  /** Whether the number of rows of the copied table is known, as far as it can be. */
  #isEstimated = false;

  /** @param resource its name */
  constructor(resource: string, source: ResolvedSource, onAlarm: (alarm: StoreAlarm) => void) {
    this.#table = tableNameOf(source);
    this.#onAlarm = onAlarm;
    this.fault = new KeptFault(resource, this.#alarm.bind(this));
    this.#kept = {
      resource,
      state: 'standby',
      reason: undefined,
      loadedRows: 0,
      estimatedRows: undefined,
      movedRows: 0,
      refusedRows: 0,
    };
  }

  get isStopped(): boolean {
    return this.#kept.state === 'stopped';
  }

  get isEstimated(): boolean {
    return this.#isEstimated;
  }

  /** @param oldestUnmovedMs see `MoverStatus` */
  now(oldestUnmovedMs: number): MoverStatus {
    const failing = this.fault.now;
    if (failing === undefined) return { ...this.#kept, fault: undefined, oldestUnmovedMs };
    return { ...this.#kept, state: 'failing', ...failing, oldestUnmovedMs };
  }

  /** @param estimatedRows undefined if unknown @param isFromStart whether nothing has been copied yet */
  beginLoad(estimatedRows: number | undefined, isFromStart: boolean): void {
    const loadedRows = isFromStart ? 0 : this.#kept.loadedRows;
    this.#kept = { ...this.#kept, state: 'loading', estimatedRows, loadedRows };
    this.#isEstimated = true;
  }

  loaded(rows: number): void {
    this.#kept = { ...this.#kept, loadedRows: this.#kept.loadedRows + rows };
  }

  /** @param refused rows, now in quarantine */
  wrote(rows: number, refused: readonly Refusal[]): void {
    const { resource, movedRows, refusedRows } = this.#kept;
    this.#kept = {
      ...this.#kept,
      movedRows: movedRows + rows,
      refusedRows: refusedRows + refused.length,
    };
    const [first, ...others] = refused;
    if (first === undefined) return;
    const more = others.length === 0 ? '' : ` and ${others.length} more`;
    this.#alarm(
      'rows_quarantined',
      `${resource}: the row ${JSON.stringify(first.id.slice(0, 100))}${more} of ${this.#table} cannot become a record, so the last accepted record stays: ${first.reason}`,
    );
  }

  /** Raises the alarm once per reason, until rows are moved again. */
  stop(reason: string): void {
    const { resource } = this.#kept;
    const isNews = !this.isStopped || this.#kept.reason !== reason;
    this.#kept = { ...this.#kept, state: 'stopped', reason };
    this.fault.forget();
    if (isNews)
      this.#alarm('attachment_stopped', `${resource} is stopped, other resources continue: ${reason}`);
  }

  resume(state: MoverState): void {
    if (state !== 'loading') this.#isEstimated = false;
    const estimatedRows = state === 'loading' ? this.#kept.estimatedRows : undefined;
    this.#kept = { ...this.#kept, state, reason: undefined, estimatedRows };
  }

  #alarm(code: StoreAlarm['code'], message: string, cause?: unknown): void {
    this.#onAlarm({ code, resource: this.#kept.resource, message, cause });
  }
}
