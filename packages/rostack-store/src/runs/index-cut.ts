import { Buffer } from 'node:buffer';
import type { KeyRange } from '../page/key-range.ts';
import type { WalkPlace } from '../page/walk.ts';

/** A place between two entries of an index, which are in the order of their keys and then of their ids' UTF-8. */
export interface IndexCut {
  /** Empty in the index of the ids. */
  readonly key: Buffer;
  /** The cut comes right after this id among those of the key; undefined: before or after all of them. */
  readonly id: Buffer | undefined;
  /** Where a cut without an id stands. */
  readonly side: 'before' | 'after';
}

/** The first so many entries between two cuts. */
export interface IndexPart {
  readonly from: IndexCut;
  readonly to: IndexCut;
  /** At least 1. */
  readonly limit: number;
}

const NO_KEY = Buffer.alloc(0);

/** Before every entry. */
const START: IndexCut = { key: NO_KEY, id: undefined, side: 'before' };

/** After every entry: no key begins with this byte. */
export const END: IndexCut = { key: Buffer.of(0xff), id: undefined, side: 'after' };

export function cutAfter(key: Buffer, id: Buffer): IndexCut {
  return { key, id, side: 'after' };
}

/** Where the entries of a range begin, of those after a place. */
export function lowCut({ low }: KeyRange, after: WalkPlace | undefined): IndexCut {
  if (after !== undefined) return cutAfter(after.key ?? low?.key ?? NO_KEY, Buffer.from(after.id));
  return low === undefined
    ? START
    : { key: low.key, id: undefined, side: low.inclusive ? 'before' : 'after' };
}

/** Where the entries of a range end. */
export function highCut({ high }: KeyRange): IndexCut {
  return high === undefined
    ? END
    : { key: high.key, id: undefined, side: high.inclusive ? 'after' : 'before' };
}

/** Whether a cut comes before or after every entry. */
export function isOpen(cut: IndexCut): boolean {
  return cut === START || cut === END;
}

/** Whether all entries between two cuts have one key. */
export function isSameKey(from: IndexCut, to: IndexCut): boolean {
  return Buffer.compare(from.key, to.key) === 0;
}

/** The one that comes first. */
export function firstOf(a: IndexCut, b: IndexCut): IndexCut {
  return compareCuts(a, b) <= 0 ? a : b;
}

/** Negative when `a` comes before `b`, zero when they are the same place. */
export function compareCuts(a: IndexCut, b: IndexCut): number {
  return Buffer.compare(a.key, b.key) || (a.id && b.id ? Buffer.compare(a.id, b.id) : sideOf(a) - sideOf(b));
}

/** An id stands between the two sides of its key. */
function sideOf({ id, side }: IndexCut): number {
  if (id !== undefined) return 0;
  return side === 'before' ? -1 : 1;
}
