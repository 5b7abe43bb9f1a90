import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chooseBatch, type InboxEntry, sizeOf } from './choose-batch.ts';

const limits = { maxRows: 6, fillRows: 6, maxBytes: 60 };

function entry(number: number, xid: string, rest: Partial<InboxEntry> = {}): InboxEntry {
  return { number, xid, kind: 'w', size: 1, bytes: 10, ...rest };
}

/** Rows of a few transactions in any interleaving. */
const inboxes = fc
  .array(
    fc.tuple(
      fc.constantFrom('a', 'b', 'c', 'd'),
      fc.constantFrom('w', 'w', 'w', 't'),
      fc.integer({ min: 1, max: 8 }),
      fc.nat(30),
    ),
    { maxLength: 30 },
  )
  .map((rows) =>
    rows.map(([xid, kind, size, bytes], index) => entry(index + 1, xid, { kind: kind as 'w', size, bytes })),
  );

function numbersOf(groups: ReturnType<typeof chooseBatch>): number[][] {
  return groups.map((group) => group.map(({ number }) => number));
}

describe('chooseBatch', () => {
  test('orders transactions by their last numbers and keeps their rows together', () => {
    const entries = [entry(1, 'late'), entry(2, 'early'), entry(3, 'early'), entry(4, 'late')];
    expect(numbersOf(chooseBatch(entries, limits))).toEqual([
      [2, 3],
      [1, 4],
    ]);
  });

  test('leaves a transaction that does not fit for the next batch', () => {
    const entries = [1, 2, 3, 4].map((n) => entry(n, 'a')).concat([5, 6, 7].map((n) => entry(n, 'b')));
    expect(numbersOf(chooseBatch(entries, limits))).toEqual([[1, 2, 3, 4]]);
  });

  test('takes the first rows of a transaction that is larger than a batch, by rows or by bytes', () => {
    const entries = Array.from({ length: 9 }, (_, index) => entry(index + 1, 'a'));
    expect(numbersOf(chooseBatch(entries, limits))).toEqual([[1, 2, 3, 4, 5, 6]]);
    expect(numbersOf(chooseBatch([entry(1, 'a', { bytes: 99 }), entry(2, 'a')], limits))).toEqual([[1]]);
    expect(numbersOf(chooseBatch([entry(1, 'a', { size: 9 }), entry(2, 'a')], limits))).toEqual([[1]]);
  });

  test('counts the rows of the table that a row of the inbox tells of', () => {
    const entries = [entry(1, 'a', { size: 4 }), entry(2, 'b', { size: 2 }), entry(3, 'c')];
    expect(numbersOf(chooseBatch(entries, limits))).toEqual([[1], [2]]);
  });

  test('begins no transaction after the one that fills the batch', () => {
    const entries = [entry(1, 'a'), entry(2, 'b', { size: 2 }), entry(3, 'c')];
    expect(numbersOf(chooseBatch(entries, { ...limits, fillRows: 2 }))).toEqual([[1], [2]]);
    expect(numbersOf(chooseBatch(entries.slice(1), { ...limits, fillRows: 1 }))).toEqual([[2]]);
  });

  test('a transaction that truncates comes alone', () => {
    const entries = [entry(1, 'a'), entry(2, 'b', { kind: 't' }), entry(3, 'b'), entry(4, 'c')];
    expect(numbersOf(chooseBatch(entries, limits))).toEqual([[1]]);
    expect(numbersOf(chooseBatch(entries.slice(1), limits))).toEqual([[2, 3]]);
  });

  test('in any interleaving: batches end, lose nothing, and order whole transactions by last number', () => {
    fc.assert(
      fc.property(inboxes, (entries) => {
        let left = entries;
        const order: InboxEntry[] = [];
        while (left.length > 0) {
          const batch = chooseBatch(left, limits).flat();
          expect(batch.length).toBeGreaterThan(0);
          expect(batch.length === 1 || sizeOf(batch) <= limits.maxRows).toBe(true);
          order.push(...batch);
          const taken = new Set(batch);
          left = left.filter((candidate) => !taken.has(candidate));
        }
        expect(new Set(order).size).toBe(entries.length);
        const lasts = new Map(entries.map(({ xid, number }) => [xid, number]));
        const byLast = entries.toSorted(
          (a, b) => (lasts.get(a.xid) ?? 0) - (lasts.get(b.xid) ?? 0) || a.number - b.number,
        );
        expect(order).toEqual(byLast);
      }),
    );
  });
});
