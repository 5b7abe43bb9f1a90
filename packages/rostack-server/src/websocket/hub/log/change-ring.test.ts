import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ChangeRing } from './change-ring.ts';
import type { LogPosition } from './log-position.ts';
import { OutOfOrderError } from './log-position.ts';
import { LoggedChange } from './logged-change.ts';

const changeAt = (position: number, bodyLength = 10): LoggedChange =>
  new LoggedChange(
    {
      position,
      tag: `t${position}`,
      eventId: `e${position}`,
      eventType: 'thing.created',
      transition: 'create',
      id: `r${position}`,
      version: `v${position}`,
      occurredAtMs: 0,
      before: undefined,
      after: JSON.stringify('x'.repeat(bodyLength)),
    },
    `t${position - 1}`,
  );

const placeAt = (position: number): LogPosition => ({ position, tag: `t${position}` });

const positionsOf = (changes: readonly LoggedChange[] | undefined): readonly number[] | undefined =>
  changes?.map(({ position }) => position);

describe('the ring of recent changes', () => {
  test('reaches back as far as its limit and says when a position is older', () => {
    fc.assert(
      fc.property(
        fc.nat(50),
        fc.integer({ min: 1, max: 20 }),
        fc.nat(80),
        fc.nat(60),
        fc.integer({ min: 1, max: 30 }),
        (first, maxChanges, count, offset, limit) => {
          const ring = new ChangeRing({ maxChanges, maxBytes: Number.POSITIVE_INFINITY });
          for (let index = 1; index <= count; index += 1) ring.push(changeAt(first + index));
          const kept = Array.from(
            { length: Math.min(count, maxChanges) },
            (_, index) => first + count - index,
          ).reverse();
          const after = Math.max(0, first + offset - 5);
          const oldest = kept[0];
          const expected =
            oldest === undefined || after < oldest - 1
              ? undefined
              : kept.filter((position) => position > after).slice(0, limit);
          expect(ring.size).toBe(kept.length);
          expect(positionsOf(ring.after(placeAt(after), limit))).toEqual(expected);
        },
      ),
    );
  });

  test('gives way by size, but keeps the newest change whatever its size', () => {
    const ring = new ChangeRing({ maxChanges: 100, maxBytes: 10_000 });
    for (let position = 1; position <= 20; position += 1) ring.push(changeAt(position, 400));
    expect(ring.size).toBeLessThan(6);
    ring.push(changeAt(21, 100_000));
    expect(positionsOf(ring.after(placeAt(20), 10))).toEqual([21]);
    expect(ring.after(placeAt(19), 10)).toBeUndefined();
  });

  test('lets go of what has given way', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const ring = new ChangeRing({ maxChanges: 100, maxBytes: 100_000 });
    const pushed: WeakRef<LoggedChange>[] = [];
    for (let position = 1; position <= 60; position += 1) {
      const change = changeAt(position, 5_000);
      ring.push(change);
      pushed.push(new WeakRef(change));
    }
    // A `WeakRef` keeps its target alive until the turn ends.
    await nextTurn();
    collectGarbage();
    const held = pushed.filter((each) => each.deref() !== undefined).length;
    expect(ring.size).toBe(4);
    expect(held).toBeLessThanOrEqual(5);
  });

  test('takes no change but the next one', () => {
    const ring = new ChangeRing({ maxChanges: 3, maxBytes: 100_000 });
    for (let position = 5; position <= 9; position += 1) ring.push(changeAt(position));
    for (const other of [1, 8, 9, 11]) expect(() => ring.push(changeAt(other))).toThrow(OutOfOrderError);
    expect(positionsOf(ring.after(placeAt(6), 10))).toEqual([7, 8, 9]);
    ring.push(changeAt(10));
    expect(positionsOf(ring.after(placeAt(7), 10))).toEqual([8, 9, 10]);
  });

  test('answers for no other history', () => {
    const ring = new ChangeRing({ maxChanges: 3, maxBytes: 100_000 });
    for (let position = 5; position <= 9; position += 1) ring.push(changeAt(position));
    expect(positionsOf(ring.after(placeAt(6), 10))).toEqual([7, 8, 9]);
    for (const position of [6, 7, 8]) {
      expect(ring.after({ position, tag: `other${position}` }, 10)).toBeUndefined();
    }
  });

  test('forgets everything when cleared', () => {
    const ring = new ChangeRing({ maxChanges: 10, maxBytes: 10_000 });
    ring.push(changeAt(1));
    ring.clear();
    expect(ring.after(placeAt(0), 10)).toBeUndefined();
    ring.push(changeAt(9));
    expect(positionsOf(ring.after(placeAt(8), 10))).toEqual([9]);
  });
});
