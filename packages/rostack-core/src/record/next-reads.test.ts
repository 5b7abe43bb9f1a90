import { expect, test } from 'vitest';
import { NextReads } from './next-reads.ts';

/** Reads that end when the test says so, each with how many began before it. */
class Readings {
  readonly begun: { readonly key: string; readonly end: (fault?: Error) => void }[] = [];
  readonly reads = new NextReads((key: string) => {
    const number = this.begun.length;
    return new Promise<string>((resolve, reject) => {
      this.begun.push({
        key,
        end: (fault) => (fault === undefined ? resolve(`${key}${number}`) : reject(fault)),
      });
    });
  });
}

const microtasks = () => new Promise((resolve) => setImmediate(resolve));

test('a crowd shares the next read, which begins after all of them have asked', async () => {
  const { begun, reads } = new Readings();
  const first = reads.ask('a');
  const crowd = Array.from({ length: 100 }, () => reads.ask('a'));
  expect(begun.length).toBe(1);
  begun[0]?.end();
  expect(await first).toBe('a0');
  await microtasks();
  expect(begun.length).toBe(2);
  const later = reads.ask('a');
  begun[1]?.end();
  expect(new Set(await Promise.all(crowd))).toEqual(new Set(['a1']));
  await microtasks();
  begun[2]?.end();
  expect(await later).toBe('a2');
});

test('reads of different keys do not wait for each other', async () => {
  const { begun, reads } = new Readings();
  const [a, b] = [reads.ask('a'), reads.ask('b')];
  begun[1]?.end();
  expect(await b).toBe('b1');
  begun[0]?.end();
  expect(await a).toBe('a0');
});

test('a read that fails fails for those who asked for it, and not for the next ones', async () => {
  const { begun, reads } = new Readings();
  const first = reads.ask('a');
  const second = reads.ask('a');
  begun[0]?.end(new Error('away'));
  await expect(first).rejects.toThrow('away');
  await microtasks();
  begun[1]?.end();
  expect(await second).toBe('a1');
  const third = reads.ask('a');
  expect(begun.length).toBe(3);
  begun[2]?.end();
  expect(await third).toBe('a2');
});
