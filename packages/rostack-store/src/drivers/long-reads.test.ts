import { SourceUnavailableError } from 'rostack-core';
import { expect, test } from 'vitest';
import type { LongRead } from './database.ts';
import { LongReads } from './long-reads.ts';

const FAR_MS = 60_000;

/** A read that has taken this long so far, and ends this much later than another. */
function read(spentMs: number, laterMs = 0): LongRead {
  return { spentMs, deadlineMs: performance.now() + FAR_MS + laterMs };
}

/** Takes `steps` turns, one after the other, and records each. */
async function take(turns: LongReads, of: LongRead, name: string, steps: number, order: string[]) {
  for (let step = 0; step < steps; step += 1) {
    await turns.run(of, async () => {
      order.push(name);
      await new Promise(setImmediate);
    });
  }
}

test('as many run at a time as may', async () => {
  const turns = new LongReads(2);
  let running = 0;
  let most = 0;
  const step = async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise(setImmediate);
    running -= 1;
  };
  await Promise.all(Array.from({ length: 10 }, () => turns.run(read(0), step)));
  expect(most).toBe(2);
});

test('the earliest of the old ones goes on to its end, and a young one goes before them', async () => {
  const turns = new LongReads(1);
  const order: string[] = [];
  const all = [
    take(turns, read(1_000, 0), 'first', 3, order),
    take(turns, read(1_000, 1), 'second', 2, order),
  ];
  await new Promise(setImmediate);
  all.push(take(turns, read(0, 2), 'young', 2, order));
  await Promise.all(all);
  const early = order.indexOf('young');
  expect(order.filter((name) => name !== 'young')).toEqual(['first', 'first', 'first', 'second', 'second']);
  expect(early).toBeLessThanOrEqual(2);
  expect(order.slice(early, early + 2)).toEqual(['young', 'young']);
});

test('a step that fails gives its turn to the next', async () => {
  const turns = new LongReads(1);
  const failing = turns.run(read(0), () => Promise.reject(new Error('no')));
  const next = turns.run(read(0), () => Promise.resolve('yes'));
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('yes');
});

test('a read whose time is over while it waits is refused, and its step does not run', async () => {
  const turns = new LongReads(1);
  const { promise, resolve } = Promise.withResolvers<void>();
  const running = turns.run(read(0), () => promise);
  const steps: string[] = [];
  const late = turns.run({ spentMs: 0, deadlineMs: performance.now() - 1 }, async () => {
    steps.push('late');
  });
  await expect(late).rejects.toBeInstanceOf(SourceUnavailableError);
  resolve();
  await running;
  expect(steps).toEqual([]);
});

test('closing refuses those that wait and those that come', async () => {
  const turns = new LongReads(1);
  const { promise, resolve } = Promise.withResolvers<void>();
  const running = turns.run(read(0), () => promise);
  const waiting = turns.run(read(0), () => Promise.resolve());
  turns.close();
  await expect(waiting).rejects.toBeInstanceOf(SourceUnavailableError);
  resolve();
  await running;
  await expect(turns.run(read(0), () => Promise.resolve())).rejects.toBeInstanceOf(SourceUnavailableError);
});
