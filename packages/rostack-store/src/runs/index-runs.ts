import { Buffer } from 'node:buffer';
import { compareCuts, END, type IndexCut, type IndexPart } from './index-cut.ts';
import type { IndexRun } from './index-run.ts';

/** A page out of runs. */
export interface RunPage {
  /** The records, joined by commas. */
  readonly bodies: Buffer;
  /** `id` and `body` of the last record, when there are more after it. */
  readonly last: { readonly id: string; readonly body: string } | undefined;
}

/** Where entries are missing that have to be read before a page can be told. */
export interface RunGap {
  readonly from: IndexCut;
  readonly to: IndexCut;
}

export function isPage(found: RunPage | RunGap): found is RunPage {
  return 'bodies' in found;
}

const NO_BODIES = Buffer.alloc(0);
const COMMA = Buffer.from(',');

/** Runs of one index that do not overlap, in their order. */
export class IndexRuns {
  readonly #runs: IndexRun[];

  constructor(...runs: IndexRun[]) {
    this.#runs = runs;
  }

  /** The page of a part of the index, or what is missing to tell it. @param used called for each run that the page needs */
  find({ from, to, limit }: IndexPart, used?: (run: IndexRun) => void): RunPage | RunGap {
    const parts: Buffer[] = [];
    let last: RunPage['last'];
    let missing = limit;
    let place = this.#placeOf(from);
    for (let at = from; compareCuts(at, to) < 0; place += 1) {
      const run = this.#runs[place];
      if (run === undefined || compareCuts(at, run.from) < 0) return { from: at, to: run?.from ?? END };
      used?.(run);
      const start = run.firstAfter(at);
      const end = compareCuts(run.to, to) <= 0 ? run.count : run.firstAfter(to);
      if (missing === 0 && end > start) return { bodies: joined(parts), last };
      const taken = Math.min(end, start + missing);
      if (taken > start) {
        parts.push(run.bodies(start, taken));
        missing -= taken - start;
        if (missing === 0) {
          last = { id: run.id(taken - 1), body: run.bodies(taken - 1, taken).toString() };
          if (taken < end) return { bodies: joined(parts), last };
        }
      }
      at = run.to;
    }
    return { bodies: joined(parts), last: undefined };
  }

  /** Adds a run; false when a part of it is there. */
  add(run: IndexRun): boolean {
    const place = this.#placeOf(run.from);
    const after = this.#runs[place];
    const isFree = after === undefined || compareCuts(run.to, after.from) <= 0;
    if (isFree && compareCuts(run.from, run.to) < 0) this.#runs.splice(place, 0, run);
    return isFree;
  }

  /** The runs right before and right after one, if they touch it. */
  neighbours(run: IndexRun): { readonly before: IndexRun | undefined; readonly after: IndexRun | undefined } {
    const place = this.#placeOf(run.from);
    const [before, after] = [this.#runs[place - 1], this.#runs[place + 1]];
    return {
      before: before && compareCuts(before.to, run.from) === 0 ? before : undefined,
      after: after && compareCuts(run.to, after.from) === 0 ? after : undefined,
    };
  }

  remove(run: IndexRun): void {
    const place = this.#placeOf(run.from);
    if (this.#runs[place] === run) this.#runs.splice(place, 1);
  }

  /** The run that an entry is in, or would be. */
  around(entry: IndexCut): IndexRun | undefined {
    // A run holds what stands after its beginning, up to its end: the entry's place is the cut after it.
    const run = this.#runs[this.#placeOf(entry, true)];
    return run !== undefined && compareCuts(run.from, entry) < 0 ? run : undefined;
  }

  /** Removes everything. */
  clear(): IndexRun[] {
    return this.#runs.splice(0);
  }

  /** Index of the first run that does not end before a cut, or (not `isIncluded`) at it. */
  #placeOf(cut: IndexCut, isIncluded = false): number {
    let low = 0;
    let high = this.#runs.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const run = this.#runs[middle];
      const order = run === undefined ? 1 : compareCuts(run.to, cut);
      if (order < 0 || (order === 0 && !isIncluded)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function joined(parts: readonly Buffer[]): Buffer {
  const [only = NO_BODIES, ...others] = parts;
  return others.length === 0
    ? only
    : Buffer.concat(parts.flatMap((part, index) => (index === 0 ? [part] : [COMMA, part])));
}
