import { setTimeout as wait } from 'node:timers/promises';
import type { JsonObject } from 'rostack-core';
import type { StoreChange } from 'rostack-store';
import type { Random } from 'test-support/random';
import { predicateOf } from '../../follows/history.ts';
import { drawWitness } from '../data/random-filter.ts';
import type { Replay } from '../verdict/replay.ts';
import { patiently } from '../world/log-keeper.ts';
import type { World } from '../world/world.ts';
import type { FollowSpec, RecordedFollow } from './recorded-follow.ts';

const LOOK_EVERY_MS = 20;
/** Time for what nobody expects to arrive. */
const AFTERWARDS_MS = 100;

/** Writes a last record for every filter, so that each follow has an event to reach. */
export async function writeLastRecords(
  world: World,
  specs: readonly FollowSpec[],
  random: Random,
): Promise<void> {
  const last: (StoreChange & { readonly op: 'put'; readonly record: JsonObject })[] = [];
  for (const { resource, filter } of specs) {
    const matches = predicateOf(filter);
    if (last.some((change) => change.resource === resource && matches(change.record))) continue;
    const record = drawWitness(random, filter, `last-${last.length}`);
    if (record !== undefined) last.push({ resource, op: 'put', record });
  }
  await patiently(() => world.store.apply(last));
}

/** Waits until every follow was given its last event; returns what is wrong when that takes too long. */
export async function settle(
  follows: readonly RecordedFollow[],
  replays: ReadonlyMap<string, Replay>,
  timeoutMs: number,
): Promise<readonly string[]> {
  const waiting = new Set(
    follows.map((follow) => ({ follow, position: lastPosition(follow.spec, replays) })),
  );
  const deadline = performance.now() + timeoutMs;
  while (waiting.size > 0 && performance.now() < deadline) {
    for (const entry of waiting) if (entry.follow.position >= entry.position) waiting.delete(entry);
    await wait(LOOK_EVERY_MS);
  }
  await wait(AFTERWARDS_MS);
  return Array.from(
    waiting,
    ({ follow, position }) =>
      `${follow.spec.name} stood at ${follow.position} instead of ${position} after ${timeoutMs} ms`,
  );
}

function lastPosition({ resource, filter }: FollowSpec, replays: ReadonlyMap<string, Replay>): number {
  const replay = replays.get(resource);
  if (replay === undefined) throw new Error(`nobody keeps the log of ${resource}`);
  const events = replay.eventsBetween(replay.start, replay.end, predicateOf(filter));
  return events.at(-1)?.change.position ?? replay.start;
}
