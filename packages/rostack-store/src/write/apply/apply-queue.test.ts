import { expect, test, vi } from 'vitest';
import type { Database } from '../../drivers/database.ts';
import { StoreUnavailableError } from '../../errors/index.ts';
import type { MovedLog } from '../../log/watch/moved-log.ts';
import { ApplyQueue } from './apply-queue.ts';
import type { PreparedChange } from './prepare-change.ts';

const times = { nowMs: () => 0, newTag: () => 'tag' };
const batch = (size: number): readonly PreparedChange[] => Array.from({ length: size });

/** A queue over a database whose transactions end as the test decides; `onMoved` records its calls. */
function queueOver(write: () => Promise<unknown>) {
  const writes = vi.fn(write);
  const moved = vi.fn<(logs: readonly MovedLog[]) => void>();
  const queue = new ApplyQueue({ write: writes } as unknown as Database, times, moved);
  return { queue, writes, moved };
}

test('an outage fails all batches of the transaction at once, without trying each', async () => {
  const outage = new StoreUnavailableError('no database');
  const { queue, writes, moved } = queueOver(() => Promise.reject(outage));
  const outcomes = await Promise.allSettled([1, 2, 3].map((size) => queue.add(batch(size))));
  expect(outcomes).toEqual([1, 2, 3].map(() => ({ status: 'rejected', reason: outage })));
  expect(writes).toHaveBeenCalledTimes(1);
  expect(moved).not.toHaveBeenCalled();
});

test('any other failure is that of one batch: each is tried alone', async () => {
  let call = 0;
  const { queue, writes } = queueOver(() => {
    call += 1;
    if (call === 1 || call === 3) return Promise.reject(new Error('too much'));
    return Promise.resolve({ moved: [], outcomes: [{ results: [] }] });
  });
  const outcomes = await Promise.allSettled([1, 1, 1].map((size) => queue.add(batch(size))));
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(writes).toHaveBeenCalledTimes(4);
});

test('what waits goes together up to 2,000 changes; a batch of more goes alone', async () => {
  const groups: number[] = [];
  const { queue } = queueOver(() => {
    groups.push(queue.size);
    return Promise.resolve({ moved: [], outcomes: Array.from({ length: 9 }, () => ({ results: [] })) });
  });
  const sizes = [1_999, 1, 1, 2_001, 1_000, 1_000];
  await Promise.all(sizes.map((size) => queue.add(batch(size))));
  expect(groups.map((left, index) => (groups[index - 1] ?? sizes.length) - left)).toEqual([2, 1, 1, 2]);
  expect(queue.size).toBe(0);
  await queue.drained();
});
