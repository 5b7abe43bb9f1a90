import { setTimeout as delay } from 'node:timers/promises';
import { seededRandom } from 'test-support/seeded-random';
import { expect, test } from 'vitest';
import {
  eventCursor,
  isRunning,
  metricOf,
  PATIENCE_MS,
  putAll,
  startedWorkers,
  startMachine,
} from './support/machine.ts';
import { followFrom, type ResumingFollower } from './support/resuming-follower.ts';

const WORKERS = 3;
const FOLLOWERS = 8;
const WRITERS = 2;
const ROUNDS = 5;
const LONGEST_PAUSE_MS = 500;

test('whichever workers are killed under followers and writers, no event is lost or comes twice', {
  timeout: 5 * PATIENCE_MS,
}, async () => {
  const random = seededRandom();
  await using machine = await startMachine('', WORKERS);
  await using stack = new AsyncDisposableStack();
  const cursor = await eventCursor(machine);
  const followers: ResumingFollower[] = [];
  for (let count = 0; count < FOLLOWERS; count += 1)
    followers.push(stack.use(await followFrom(cursor, machine.gateway, machine.token)));
  const killed = new Set<number>();
  const running = () =>
    startedWorkers(machine).filter((worker) => !killed.has(worker.pid) && isRunning(worker));

  const written: string[] = [];
  const isOver = new AbortController();
  const writers = Array.from({ length: WRITERS }, async (_, writer) => {
    for (let count = 0; !isOver.signal.aborted; count += 1) {
      const id = `w${writer}-${count}`;
      // One that was written by a lead that died before it said so is written again, which changes nothing.
      await putAll(machine, [id]);
      written.push(id);
    }
  });
  const writing = Promise.all(writers);
  // Awaited below, unless something else fails first.
  writing.catch(() => isOver.abort());
  for (let round = 0; round < ROUNDS; round += 1) {
    await expect.poll(running, { timeout: PATIENCE_MS }).toHaveLength(WORKERS);
    const workers = running();
    // One, or several at once; in some rounds the lead is among them.
    const victims = new Set(random.many(random.int(1, WORKERS), (stream) => stream.pick(workers)));
    await delay(random.int(0, LONGEST_PAUSE_MS));
    for (const { pid } of victims) {
      killed.add(pid);
      process.kill(pid, 'SIGKILL');
    }
  }
  await expect.poll(running, { timeout: PATIENCE_MS }).toHaveLength(WORKERS);
  isOver.abort();
  await writing;

  const [first] = followers;
  await expect
    .poll(() => followers.map(({ ids }) => ids.length), { timeout: PATIENCE_MS })
    .toEqual(followers.map(() => written.length));
  expect(first?.ids.toSorted()).toEqual(written.toSorted());
  for (const { ids } of followers) expect(ids).toEqual(first?.ids);
  expect(followers.flatMap(({ errors }) => errors)).toEqual([]);
  expect(await metricOf(machine, 'rostack_worker_restarts_total')).toBe(killed.size);
});
