import type { FollowState } from 'rostack-client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MirrorStore } from './mirror-store.ts';
import type { MirrorBatch, MirrorTarget } from './mirror-target.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** A table that fails as often as it is told. */
class Target implements Partial<MirrorTarget> {
  failures = 0;
  readonly written: MirrorBatch[] = [];
  /** The cursors of all that was written, in order. */
  readonly cursors: string[] = [];

  async apply(batch: MirrorBatch): Promise<void> {
    this.failures -= 1;
    if (this.failures >= 0) throw new Error('the disk is full');
    this.written.push(batch);
    this.cursors.push(batch.cursor);
  }

  async replace({ cursor }: FollowState): Promise<void> {
    this.cursors.push(cursor);
  }
}

function setUp() {
  const target = new Target();
  const failures: unknown[] = [];
  const store = new MirrorStore(target as unknown as MirrorTarget, 'k', (error) => failures.push(error));
  const put = (id: string, cursor: string) =>
    store.update('k', { cursor, eventId: undefined, put: { id, record: { id }, version: undefined } });
  const remove = (id: string, cursor: string) =>
    store.update('k', { cursor, eventId: undefined, remove: id });
  return { target, failures, store, put, remove };
}

test('events that come together are one transaction, with the last state of each record and the last cursor', async () => {
  const { target, put, remove } = setUp();
  await put('a', 'c1');
  await put('b', 'c2');
  await remove('a', 'c3');
  await vi.advanceTimersByTimeAsync(100);
  expect(target.written).toMatchObject([{ cursor: 'c3' }]);
  const [batch] = target.written;
  expect(Array.from(batch?.records ?? [], ([id, stored]) => [id, stored?.record])).toEqual([
    ['a', undefined],
    ['b', { id: 'b' }],
  ]);
});

test('what comes after a batch is written as soon', async () => {
  const { target, put } = setUp();
  for (const cursor of ['c1', 'c2', 'c3']) {
    await put('a', cursor);
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(target.cursors).toEqual(['c1', 'c2', 'c3']);
});

test('what waits is written before a whole state takes its place', async () => {
  const { target, store, put } = setUp();
  await put('a', 'c1');
  const scope = { implementationId: 'i', apiVersion: '1', resource: 'r', filter: undefined };
  await store.replace('k', { scope, cursor: 'c2', eventId: undefined, records: [] });
  await vi.advanceTimersByTimeAsync(100);
  expect(target.cursors).toEqual(['c1', 'c2']);
});

test('after a batch that could not be written nothing is: no cursor moves past what is missing', async () => {
  const { target, failures, store, put } = setUp();
  target.failures = 1;
  await put('a', 'c1');
  await vi.advanceTimersByTimeAsync(100);
  expect(failures).toMatchObject([{ message: 'the disk is full' }]);
  await put('b', 'c2');
  await expect(store.flush()).rejects.toThrow('the disk is full');
  await store[Symbol.asyncDispose]();
  expect(target.written).toEqual([]);
});

test('what waits is written when the store is closed', async () => {
  const { target, store, put } = setUp();
  await put('a', 'c1');
  await store[Symbol.asyncDispose]();
  expect(target.written).toMatchObject([{ cursor: 'c1' }]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(target.written).toHaveLength(1);
});
