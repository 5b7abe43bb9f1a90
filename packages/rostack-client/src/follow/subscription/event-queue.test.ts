import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EventQueue } from './event-queue.ts';

describe('an event queue', () => {
  test('gives items in order, and waits for them', async () => {
    const queue = new EventQueue<number>({ maxItems: 10, maxSize: 100 }, () => {});
    const waiting = [queue.take(), queue.take()];
    queue.push(1, 1);
    queue.push(2, 1);
    expect(await Promise.all(waiting)).toEqual([1, 2]);
  });

  test('gives what is in it before its end', async () => {
    const queue = new EventQueue<number>({ maxItems: 10, maxSize: 100 }, () => {});
    queue.push(1, 1);
    queue.end(new Error('over'));
    queue.push(2, 1);
    expect(await queue.take()).toBe(1);
    await expect(queue.take()).rejects.toThrow('over');
    await expect(queue.take()).rejects.toThrow('over');
  });

  test('cleared, it ends at once, also for those who wait', async () => {
    const queue = new EventQueue<number>({ maxItems: 10, maxSize: 100 }, () => {});
    const waiting = queue.take();
    queue.clear();
    expect(await waiting).toBeUndefined();
    const other = new EventQueue<number>({ maxItems: 10, maxSize: 100 }, () => {});
    other.push(1, 1);
    other.clear(new Error('stopped'));
    await expect(other.take()).rejects.toThrow('stopped');
  });

  test.each([
    ['items', { maxItems: 10, maxSize: 1_000 }, 1],
    ['size', { maxItems: 1_000, maxSize: 100 }, 10],
  ])(
    'is full at its limit of %s, and says once that there is room when it is less than half full',
    async (_name, limits, size) => {
      let rooms = 0;
      const queue = new EventQueue<number>(limits, () => {
        rooms += 1;
      });
      const answers = Array.from({ length: 10 }, (_, number) => queue.push(number, size));
      expect(answers).toEqual([...Array.from({ length: 9 }, () => true), false]);
      for (let number = 0; number < 5; number += 1) expect(await queue.take()).toBe(number);
      expect([rooms, queue.push(10, 0)]).toEqual([0, false]);
      expect(await queue.take()).toBe(5);
      expect(await queue.take()).toBe(6);
      expect([rooms, queue.push(11, 0)]).toEqual([1, true]);
      for (let number = 7; number < 12; number += 1) expect(await queue.take()).toBe(number);
      expect(rooms).toBe(1);
    },
  );

  test('a source that stops when it is full and goes on when there is room loses nothing and fills nothing', async () => {
    const limits = fc.record({
      maxItems: fc.integer({ min: 2, max: 20 }),
      maxSize: fc.integer({ min: 10, max: 200 }),
    });
    const sizes = fc.array(fc.integer({ min: 0, max: 10 }), { maxLength: 200 });
    await fc.assert(
      fc.asyncProperty(limits, sizes, fc.infiniteStream(fc.boolean()), async (limits, sizes, turns) => {
        const waiting: number[] = [];
        const taken: number[] = [];
        const faults: string[] = [];
        let next = 0;
        let isPaused = false;
        const queue = new EventQueue<number>(limits, () => {
          if (!isPaused) faults.push('room, though it was not full');
          isPaused = false;
        });
        while (taken.length < sizes.length) {
          const size = sizes[next];
          if (turns.next().value === true && size !== undefined && !isPaused) {
            waiting.push(size);
            isPaused = !queue.push(next, size);
            next += 1;
          } else if (waiting.length > 0) {
            taken.push((await queue.take()) ?? -1);
            waiting.shift();
          } else if (isPaused) {
            faults.push('empty, and the source waits for room');
            break;
          }
          const waitingSize = waiting.reduce((sum, size) => sum + size, 0);
          if (waiting.length > limits.maxItems || waitingSize > limits.maxSize + 10) faults.push('too full');
        }
        expect(faults).toEqual([]);
        expect(taken).toEqual(sizes.map((_, index) => index));
      }),
    );
  });
});
