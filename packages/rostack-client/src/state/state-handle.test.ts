import { expect, test } from 'vitest';
import { MemoryStateStore } from './memory-state-store.ts';
import { StateHandle } from './state-handle.ts';
import type { FollowState } from './state-store.ts';

const state = (cursor: string, resource = 'stations'): FollowState => ({
  scope: { implementationId: 'i', apiVersion: '1', resource, filter: undefined },
  cursor,
  eventId: undefined,
  records: [],
});

test('a place that was left writes and reads nothing any more, nor do those beside it', async () => {
  const store = new MemoryStateStore();
  const place = await StateHandle.take(store, 'k');
  const beside = place.beside('part');
  await place.replace(state('c0'));
  await beside.replace(state('p0'));
  const left = new Error('left');
  await place.leave(left);
  const next = await StateHandle.take(store, 'k');
  await next.replace(state('c1'));
  for (const one of [place, beside]) {
    const late = { cursor: 'late', eventId: undefined };
    for (const call of [
      () => one.update(late),
      () => one.replace(state('late')),
      () => one.remove(),
      () => one.load(),
    ])
      await expect(call()).rejects.toBe(left);
  }
  expect((await store.load('k'))?.cursor).toBe('c1');
  expect((await store.load('k~part'))?.cursor).toBe('p0');
  await next.leave(undefined);
});

test('a key is waited for while its follow leaves, and refused while it does not', async () => {
  const store = new MemoryStateStore();
  const place = await StateHandle.take(store, 'k');
  await expect(StateHandle.take(store, 'k')).rejects.toMatchObject({ code: 'invalid_options' });
  place.announceLeave();
  let isTaken = false;
  const waiting = StateHandle.take(store, 'k').then((taken) => {
    isTaken = true;
    return taken;
  });
  await Promise.resolve();
  expect(isTaken).toBe(false);
  await place.leave(undefined);
  const next = await waiting;
  await next.leave(undefined);
});

test('the state of an older key moves, if it is of the same scope', async () => {
  const store = new MemoryStateStore();
  await store.replace('old', state('c0'));
  const place = await StateHandle.take(store, 'new');
  expect(await place.restore(state('').scope, 'old')).toMatchObject({ cursor: 'c0' });
  expect([await store.load('old'), (await store.load('new'))?.cursor, place.cursor]).toEqual([
    undefined,
    'c0',
    'c0',
  ]);
  await place.leave(undefined);

  await store.replace('old', state('c1', 'memos'));
  const other = await StateHandle.take(store, 'other');
  expect(await other.restore(state('').scope, 'old')).toBeUndefined();
  expect((await store.load('old'))?.cursor).toBe('c1');
  await other.leave(undefined);
});
