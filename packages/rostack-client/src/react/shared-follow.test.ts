import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Follow } from '../follow/follow.ts';
import { FollowedSet } from '../follow/followed-set.ts';
import { type FollowState, followState, pendingState } from './follow-state.ts';
import { SharedFollow } from './shared-follow.ts';

interface Plant {
  readonly id: string;
  readonly name: string;
}

const FERN: Plant = { id: 'fern', name: 'from the page' };
const byId = (...plants: readonly Plant[]) => new Map(plants.map((plant) => [plant.id, plant]));

/** A follow that reads and fails when the test says so, over a store that answers when the test says so. */
function shared(initial: FollowState<Plant>) {
  const running = Promise.withResolvers<void>();
  const stored = Promise.withResolvers<ReadonlyMap<string, Plant>>();
  const set = new FollowedSet<Plant>({ schema: undefined, resource: 'plants', isFiltered: false });
  let cursor: string | undefined;
  let note: Parameters<Follow<Plant>['run']>[0] = () => {};
  const follow = {
    get records() {
      return set.records;
    },
    get cursor() {
      return cursor;
    },
    run(onChange: typeof note) {
      note = onChange;
      return running.promise;
    },
    async close() {},
  } as Follow<Plant>;
  const source = { start: () => follow, restore: () => stored.promise, onEnd() {} };
  const made = new SharedFollow<Plant>(source, initial);
  const seen: string[] = [];
  const leave = made.subscribe(() => {
    const { status, records } = made.state();
    seen.push(`${status} ${records.map(({ name }) => name).join(' ')}`.trim());
  });
  return {
    seen,
    leave,
    fail: running.reject,
    restore: (...plants: readonly Plant[]) => stored.resolve(byId(...plants)),
    read: async (...plants: readonly Plant[]) => {
      cursor = 'after the snapshot';
      const records = new Map(plants.map((plant) => [plant.id, { ...plant }]));
      await note(set.replace('initial', { records, cursor, eventId: undefined, order: [], isWhole: true }));
      await note({ kind: 'live' });
    },
  };
}

test('a follow that fails before its first snapshot leaves what the page began with', async () => {
  const { seen, leave, fail } = shared(followState(byId(FERN), 'stale'));
  fail(new Error('refused'));
  await expect.poll(() => seen).toEqual(['failed from the page']);
  leave();
});

test('a follow that fails at once after its snapshot leaves what it has read', async () => {
  const { seen, leave, fail, read } = shared(followState(byId(FERN), 'stale'));
  await read({ ...FERN, name: 'from the server' });
  fail(new Error('refused'));
  await expect.poll(() => seen).toEqual(['failed from the server']);
  leave();
});

test('what a store gives after the follow is live is not shown', async () => {
  const { seen, leave, read, restore } = shared(pendingState());
  await read({ ...FERN, name: 'from the server' });
  await expect.poll(() => seen).toEqual(['live from the server']);
  restore({ ...FERN, name: 'from the store' });
  // All that the store's answer causes comes before the next turn.
  await setImmediate();
  expect(seen).toEqual(['live from the server']);
  leave();
});

test('what a store gives is shown until the follow has read', async () => {
  const { seen, leave, read, restore } = shared(pendingState());
  restore({ ...FERN, name: 'from the store' });
  await expect.poll(() => seen).toEqual(['restored from the store']);
  await read({ ...FERN, name: 'from the server' });
  await expect.poll(() => seen).toEqual(['restored from the store', 'live from the server']);
  leave();
});
