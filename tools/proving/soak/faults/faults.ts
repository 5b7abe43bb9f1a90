import { setTimeout as wait } from 'node:timers/promises';
import type { Link } from 'test-support/fault-proxy';
import type { Random } from 'test-support/random';
import type { World } from '../world/world.ts';

const HOUR_MS = 3_600_000;

/** What a fault works on. */
export interface FaultContext {
  readonly world: World;
  readonly random: Random;
  /** Drops the log once everything of it is kept elsewhere. */
  readonly prune: (kept: 'none' | 'some') => Promise<void>;
  /** Runs work on a gateway when no other fault is busy with it. */
  readonly withGateway: (index: number, work: () => Promise<void>) => Promise<void>;
  /** Revokes the tokens of some clients. */
  readonly revokeTokens: () => Promise<void>;
  /** Ends a client and starts another one from its state. */
  readonly restartClient: () => Promise<void>;
}

/** Does something bad, waits, and leaves what has to heal by itself. */
type Fault = (context: FaultContext) => Promise<void>;

/** Every fault by its name. */
export const FAULTS = {
  'kill a gateway': async ({ world, random, withGateway }) => {
    const index = random.int(0, world.gateways.length - 1);
    const downMs = random.int(0, 600);
    await withGateway(index, async () => {
      await world.gateways[index]?.kill();
      await wait(downMs);
      await world.gateways[index]?.start();
    });
  },
  'drain a gateway': async ({ world, random, withGateway }) => {
    const index = random.int(0, world.gateways.length - 1);
    const isTold = random.chance(0.5);
    await withGateway(index, async () => {
      const gateway = world.gateways[index];
      if (gateway === undefined) return;
      if (isTold) world.rest(gateway);
      const code = await gateway.terminate();
      if (code !== 0) throw new Error(`${gateway.name} ended with ${code} after SIGTERM:\n${gateway.output}`);
      await gateway.start();
      world.unrest(gateway);
    });
  },
  'pause a gateway': async ({ world, random, withGateway }) => {
    const index = random.int(0, world.gateways.length - 1);
    const pausedMs = random.pick([50, 400, 2_500]);
    await withGateway(index, async () => {
      world.gateways[index]?.pause();
      await wait(pausedMs);
      world.gateways[index]?.resume();
    });
  },
  'end connections of the database': async ({ world, random }) => {
    const share = random.pick([0.2, 0.5, 1]);
    for (let times = random.int(1, 12); times > 0; times -= 1) {
      await world.database.endConnections?.(share);
      await wait(random.int(5, 120));
    }
  },
  'restart the database': async ({ world, random }) => {
    await world.database.restart?.(random.int(0, 800));
  },
  'end the listeners': async ({ world }) => {
    await world.database.endListeners?.();
  },
  'lose hints': async ({ world, random }) => {
    world.database.loseHints(random.pick([0.3, 0.9, 1]));
    await wait(random.int(300, 2_000));
    world.database.loseHints(0);
  },
  'cut connections': async ({ world, random }) => {
    for (const link of someOf(world.front.links, random)) link.cut();
    await Promise.resolve();
  },
  'turn clients away': async ({ world, random }) => {
    world.front.refuse(true);
    world.front.cut();
    await wait(random.int(100, 900));
    world.front.refuse(false);
  },
  'turn clients away and prune': async ({ world, random, prune }) => {
    world.front.refuse(true);
    world.front.cut();
    await wait(random.int(100, 400));
    await prune('none');
    world.front.refuse(false);
  },
  'stall connections': async ({ world, random }) => {
    const links = someOf(world.front.links, random);
    for (const link of links) link.stall(random.pick(['to client', 'to server', 'both'] as const));
    await wait(random.int(200, 2_500));
    for (const link of links) link.resume();
  },
  'stall connections and prune': async ({ world, random, prune }) => {
    const links = someOf(world.front.links, random);
    for (const link of links) link.stall('to client');
    await wait(random.int(200, 800));
    await prune(random.pick(['none', 'some'] as const));
    for (const link of links) link.resume();
  },
  'leave connections half open': async ({ world, random }) => {
    for (const link of someOf(world.front.links, random)) {
      link.halfOpen(random.pick(['client', 'server'] as const));
    }
    await Promise.resolve();
  },
  'slow the network': async ({ world, random }) => {
    world.front.delay(random.int(5, 120));
    await wait(random.int(300, 1_500));
    world.front.delay(0);
  },
  prune: async ({ random, prune }) => {
    await prune(random.pick(['none', 'some'] as const));
  },
  'step the clocks': async ({ world, random }) => {
    const isTogether = random.chance(0.5);
    const draw = () => random.int(-2 * HOUR_MS, 2 * HOUR_MS);
    const common = draw();
    world.setClocks(() => (isTogether ? common : draw()));
    await wait(random.int(200, 1_500));
    if (random.chance(0.5)) world.setClocks(() => 0);
  },
  'revoke tokens': async ({ revokeTokens }) => {
    await revokeTokens();
  },
  'restart a client': async ({ restartClient }) => {
    await restartClient();
  },
} as const satisfies Readonly<Record<string, Fault>>;

export type FaultName = keyof typeof FAULTS;

/** Where these do nothing. */
const NOT_ON_SQLITE: ReadonlySet<FaultName> = new Set([
  'end connections of the database',
  'restart the database',
  'end the listeners',
  'lose hints',
]);

/** One fault and when it comes, in milliseconds from the start. */
export interface PlannedFault {
  readonly name: FaultName;
  readonly atMs: number;
}

/** Draws the faults of a run: about two a second, none in the last moments. */
export function planFaults(
  random: Random,
  database: 'postgres' | 'sqlite',
  durationMs: number,
): readonly PlannedFault[] {
  const names = (Object.keys(FAULTS) as FaultName[]).filter(
    (name) => database === 'postgres' || !NOT_ON_SQLITE.has(name),
  );
  return random
    .many(Math.ceil(durationMs / 500), () => ({
      name: random.pick(names),
      atMs: random.int(0, Math.floor(durationMs * 0.9)),
    }))
    .sort((a, b) => a.atMs - b.atMs);
}

function someOf(links: readonly Link[], random: Random): readonly Link[] {
  const share = random.pick([0.2, 0.5, 1]);
  return links.filter(() => random.chance(share));
}
