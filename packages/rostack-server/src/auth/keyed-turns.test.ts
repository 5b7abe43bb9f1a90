import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { KeyedTurns } from './keyed-turns.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test('as many as the limit run at once for each key, the others in order', async () => {
  const turns = new KeyedTurns(2);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const work = (name: string) => (): Promise<string> => {
    begun.push(name);
    return new Promise((resolve) => ends.push(() => resolve(name)));
  };
  const first = turns.hold('a', work('one')());
  const waiting = ['two', 'three', 'four'].map((name) => turns.wait('a', work(name)));
  const other = turns.wait('b', work('other'));
  await vi.advanceTimersByTimeAsync(0);
  expect(begun).toEqual(['one', 'two', 'other']);
  expect([turns.isFree('a'), turns.isFree('b')]).toEqual([false, true]);
  ends[0]?.();
  expect(await first).toBe('one');
  await vi.advanceTimersByTimeAsync(0);
  expect(begun).toEqual(['one', 'two', 'other', 'three']);
  for (let end = ends.shift(); end !== undefined; end = ends.shift()) {
    end();
    await vi.advanceTimersByTimeAsync(0);
  }
  expect(await Promise.all([...waiting, other])).toEqual(['two', 'three', 'four', 'other']);
  expect(turns.isFree('a')).toBe(true);
  expect(turns.size).toBe(0);
});

test('work that fails, at once or later, ends its turn', async () => {
  const turns = new KeyedTurns(1);
  await expect(turns.hold('a', Promise.reject(new Error('later')))).rejects.toThrow('later');
  const fail = (): number => {
    throw new Error('at once');
  };
  await expect(turns.wait('a', fail)).rejects.toThrow('at once');
  expect(await turns.wait('a', () => 1)).toBe(1);
  expect(turns.size).toBe(0);
});

test('work that never ends gives its turn away after 10 s', async () => {
  const turns = new KeyedTurns(1);
  const hung = turns.hold('a', new Promise(() => {}));
  const next = turns.wait('a', () => 'done');
  await vi.advanceTimersByTimeAsync(9_999);
  expect(turns.isFree('a')).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await next).toBe('done');
  expect(turns.size).toBe(0);
  void hung;
});

test('work that nobody waits for any more is left out when its turn comes', async () => {
  const turns = new KeyedTurns(1);
  const { promise: first, resolve } = Promise.withResolvers<string>();
  const held = turns.hold('a', first);
  let isWanted = true;
  const left = turns.wait(
    'a',
    () => 'done',
    () => isWanted,
  );
  const next = turns.wait('a', () => 'next');
  isWanted = false;
  resolve('first');
  expect(await Promise.all([held, left, next])).toEqual(['first', undefined, 'next']);
  expect(turns.size).toBe(0);
});
