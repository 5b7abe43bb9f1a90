import { SourceUnavailableError } from 'rostack-core';
import type { Database, LongRead, Work } from '../../drivers/database.ts';
import { OverTimeError } from '../../drivers/over-time-error.ts';
import type { PageLimits } from '../plan/page-limits.ts';
import type { ScannedRow } from '../plan/scanned-row.ts';
import type { ScanStep } from './scan-step.ts';

/** A value, and how fast it was there. */
export interface TimedValue<T> {
  readonly value: T;
  /** How often it would have fitted in the time that such a piece should take. */
  readonly speed: number;
  readonly tookMs: number;
}

/** The slices of one page, each in its turn among those of others. */
export class PageReads implements LongRead {
  readonly deadlineMs: number;
  spentMs = 0;
  readonly #database: Database;
  readonly #timeoutMs: number;

  /** @param startedMs when the page was asked for. @default now */
  constructor(database: Database, timeoutMs: number, startedMs = performance.now()) {
    this.#database = database;
    this.#timeoutMs = timeoutMs;
    this.deadlineMs = startedMs + timeoutMs;
  }

  /**
   * Runs a piece of work on one consistent snapshot.
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

/** How much a slice may grow or shrink beside the one before it. */
const SLICE_GROWTH = 4;
const MIN_SLICE_ROWS = 16;

/** A piece of a scan that is to be read next. */
export interface Slice {
  /** How many rows are still missing. */
  readonly limit: number;
  readonly read: (sliceRows: number) => Work<ScanStep>;
}

/** What asks for slices, one after the other, until its result is there. */
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

  /** The rows, once they are all there. */
  get rows(): readonly ScannedRow[] | undefined {
    return this.#next.done === true ? this.#next.value : undefined;
  }

  /** How long its slices took so far. */
  get spentMs(): number {
    return this.#spentMs;
  }

  /** How many rows its slices found so far. */
  get found(): number {
    return this.#found;
  }

  /**
   * Reads the next slice. Where few of its rows match, the one after it is as long as its time allows.
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

/** With this many times as much again as it has read, a scan that found this share of the page would have all of it. */
const PROMISING_SHARE = 1 / 8;

/**
 * The first `limit` rows by whichever of two ways has them first. The scan along the page's order ends early where many records match;
 * where hardly one does, it reads nearly every record in an order in which the database does not keep them, which takes several times
 * as long as going through all of them as they are kept. Which one it is shows only on the way, and nobody knows how many records there
 * are: so the less the scan finds, the more of the time the other way gets.
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
