import { createRandom } from 'test-support/random';
import type { Verdict } from '../follows/verdict.ts';
import { FAULTS } from './world/faults.ts';
import { World } from './world/world.ts';
import { drawWrites } from './world/writer.ts';

/** Faults come until then, in virtual ms; the last of them end by then too. */
const FAULTS_END_MS = 7_000;
/** By then the tokens of that time are no longer used. */
const PEACE_MS = FAULTS_END_MS + 4_000;
/** Within this long after the last fault every follow has to be at the head. */
const SETTLE_MS = 20_000;

/** In peace, a gateway has read its logs again by then. */
const REST_MS = 1_500;

export interface SeedReport extends Verdict {
  readonly faults: readonly string[];
  /** Stored by follows. */
  readonly bookmarks: number;
  /** Turns of the virtual event loop. */
  readonly steps: number;
  /** When all had settled, in virtual ms. */
  readonly endedAtMs: number;
}

/** Runs one simulated world: some faults, drawn from the seed, then peace, until every follow holds what the database holds. */
export async function runSeed(seed: number, onTrace?: (line: string) => void): Promise<SeedReport> {
  const world = new World(seed, onTrace);
  const onRejection = (error: unknown): void => world.fault(`unhandled: ${showError(error)}`);
  process.on('unhandledRejection', onRejection);
  process.on('uncaughtException', onRejection);
  const { scheduler, wrong, follows } = world;
  const isWrong = (): boolean => wrong.length > 0;
  try {
    const faults = planFaults(world, seed);
    writeUntil(world, FAULTS_END_MS + 500);
    await scheduler.runUntil(FAULTS_END_MS, isWrong);
    world.beginPeace();
    await scheduler.runUntil(PEACE_MS, isWrong);
    const isSettled = (): boolean => isWrong() || follows.every(({ oracle }) => oracle.isAtHead);
    world.desk.isStrict = false;
    const hasSettled = await scheduler.runUntil(FAULTS_END_MS + SETTLE_MS, isSettled);
    if (!hasSettled) {
      for (const { name, oracle, resource } of follows) {
        if (!oracle.isAtHead)
          world.fault(`${name} did not reach ${resource.head}: it is at ${JSON.stringify(oracle.place)}`);
      }
    }
    await scheduler.runUntil(scheduler.nowMs + REST_MS, isWrong);
    judgeStatus(world);
    return {
      seed,
      wrong: [...wrong],
      faults,
      changes: [...world.resources.values()].reduce((sum, { head }) => sum + head, 0),
      events: follows.reduce((sum, { oracle }) => sum + oracle.events, 0),
      bookmarks: follows.reduce((sum, { oracle }) => sum + oracle.bookmarks, 0),
      snapshots: follows.reduce((sum, { oracle }) => sum + oracle.snapshots, 0),
      steps: scheduler.steps,
      endedAtMs: scheduler.nowMs,
    };
  } finally {
    await world[Symbol.asyncDispose]();
    process.off('unhandledRejection', onRejection);
    process.off('uncaughtException', onRejection);
  }
}

/** When all is well, a gateway says so. */
function judgeStatus(world: World): void {
  for (const { name, gateway } of world.gateways) {
    for (const { resource, fault, replayStalledMs } of gateway?.status.resources ?? []) {
      if (fault !== undefined)
        world.fault(`${name} says that it cannot read ${resource}: ${String(fault.error)}`);
      if (replayStalledMs !== undefined)
        world.fault(`${name} says that a replay of ${resource} makes no progress`);
    }
  }
}

/** A few kinds of faults per seed, each several times: what they do together is what is looked for. */
function planFaults(world: World, seed: number): readonly string[] {
  const random = createRandom(seed, 'faults');
  const kinds = [...new Set(random.many(random.int(2, 5), (each) => each.pick(Object.keys(FAULTS))))];
  const count = random.int(2, 8);
  const planned: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const kind = random.pick(kinds);
    const atMs = random.int(300, FAULTS_END_MS - 300);
    const lastsMs = random.int(50, Math.min(4_000, FAULTS_END_MS - atMs));
    planned.push(kind);
    world.scheduler.after(atMs, () => {
      world.trace('***', () => `${kind}, ${lastsMs} ms`);
      FAULTS[kind]?.(world, random, lastsMs);
    });
  }
  return planned;
}

function writeUntil(world: World, endMs: number): void {
  const random = createRandom(world.random.int(0, 1_000_000), 'writer');
  const meanMs = random.pick([60, 200, 500]);
  const write = (): void => {
    const resource = random.pick([...world.resources.values()]);
    resource.apply(drawWrites(random, random.int(1, 4), 0.05), world.scheduler.nowMs);
    if (world.scheduler.nowMs < endMs) world.scheduler.after(random.int(1, 2 * meanMs), write);
  };
  write();
}

function showError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? String(error)) : String(error);
}
