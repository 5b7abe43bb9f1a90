import { SourceUnavailableError } from 'rostack-core';
import type { Database, LongRead, Work } from '../../drivers/database.ts';
import { OverTimeError } from '../../drivers/over-time-error.ts';
import type { PageLimits } from '../plan/page-limits.ts';
import type { ScannedRow } from '../plan/scanned-row.ts';
import type { ScanStep } from './scan-step.ts';

/** A result, and how fast it was read. */
export interface TimedValue<T> {
  readonly value: T;
  /** How many such pieces would fit into the time that one of them should take. */
  readonly speed: number;
  readonly tookMs: number;
}

/** Reads the slices of one page; each waits for its turn among the slices of other pages. */
export class PageReads implements LongRead {
  readonly deadlineMs: number;
  spentMs = 0;
  readonly #database: Database;
  readonly #timeoutMs: number;

  /** @param startedMs when the page was requested. @default now */
  constructor(database: Database, timeoutMs: number, startedMs = performance.now()) {
    this.#database = database;
    this.#timeoutMs = timeoutMs;
    this.deadlineMs = startedMs + timeoutMs;
  }

  /**
   * Runs work on one consistent snapshot.
   * @throws SourceUnavailableError when the page's time is over
   */
  async read<T>(work: () => Work<T>): Promise<TimedValue<T>> {
    if (performance.now() > this.deadlineMs) throw this.#late();
    let startedMs = 0;
    const timed = () => {
      startedMs = performance.now();
      return work();
    };
    try {
      const value = await this.#database.backgroundRead(this, timed);
      const tookMs = performance.now() - startedMs;
      return { value, speed: this.#database.longStepMs / tookMs, tookMs };
    } catch (error) {
      throw error instanceof OverTimeError ? this.#late() : error;
    }
  }

  #late(): SourceUnavailableError {
    return new SourceUnavailableError(
      `the page was not complete after ${this.#timeoutMs} ms: filter by fewer or other fields`,
    );
  }
}

/** The factor by which a slice may be longer or shorter than the one before it. */
const SLICE_GROWTH = 4;
const MIN_SLICE_ROWS = 16;

/** The piece of a scan to read next. */
export interface Slice {
  /** How many rows are still missing. */
  readonly limit: number;
  readonly read: (sliceRows: number) => Work<ScanStep>;
}

/** Yields slices to read, one after the other, and returns a result. */
export type Sliced<T> = Generator<Slice, T, ScanStep>;

/** One way to the rows of a page, read slice by slice. */
export class SlicedWay {
  readonly #reads: PageReads;
  readonly #sliced: Sliced<readonly ScannedRow[]>;
  readonly #limits: PageLimits['sliceRows'];
  #next: IteratorResult<Slice, readonly ScannedRow[]>;
  #sliceRows: number;
  #spentMs = 0;
  #found = 0;

  constructor(
    reads: PageReads,
    sliced: Sliced<readonly ScannedRow[]>,
    { sliceRows: limits }: Pick<PageLimits, 'sliceRows'>,
  ) {
    this.#reads = reads;
    this.#sliced = sliced;
    this.#limits = limits;
    this.#sliceRows = limits.first;
    this.#next = sliced.next();
  }

  /** The rows; undefined until all of them are read. */
  get rows(): readonly ScannedRow[] | undefined {
    return this.#next.done === true ? this.#next.value : undefined;
  }

  /** How long its slices have taken so far. */
  get spentMs(): number {
    return this.#spentMs;
  }

  /** How many rows its slices have found so far. */
  get found(): number {
    return this.#found;
  }

  /**
   * Reads the next slice. If few of its rows match, the next slice is made as long as its time allows.
   * @throws SourceUnavailableError when the page's time is over
   */
  async step(): Promise<void> {
    if (this.#next.done === true) return;
    const { limit, read } = this.#next.value;
    const sliceRows = this.#sliceRows;
    const { value: step, speed, tookMs } = await this.#reads.read(() => read(sliceRows));
    this.#spentMs += tookMs;
    this.#found += step.rows.length;
    if (step.reached !== undefined && step.rows.length < limit) {
      const growth = Math.min(SLICE_GROWTH, Math.max(1 / SLICE_GROWTH, speed));
      this.#sliceRows = Math.min(this.#limits.most, Math.max(MIN_SLICE_ROWS, Math.floor(sliceRows * growth)));
    }
    this.#next = this.#sliced.next(step);
  }
}

/** From this share of the page's rows on, the first scan gets all of the time. */
const PROMISING_SHARE = 1 / 8;

/**
 * Returns the first `limit` rows from whichever of two scans has them first. The scan along the page's order ends early if many records
 * match; if hardly any does, it reads nearly every record in an order other than that of the table, which takes several times as long as a
 * scan in the order of the table. The number of matching records is not known in advance, so the fewer rows the first scan finds, the more
 * time the second one gets.
 */
export async function firstOf(
  scan: SlicedWay,
  other: SlicedWay | undefined,
  limit: number,
): Promise<readonly ScannedRow[]> {
  for (;;) {
    const rows = scan.rows ?? other?.rows;
    if (rows !== undefined) return rows;
    const promising = limit * PROMISING_SHARE;
    const shareOfOther = scan.found >= promising ? 0 : promising / (scan.found + 1);
    const next = other !== undefined && other.spentMs < scan.spentMs * shareOfOther ? other : scan;
    await next.step();
  }
}
