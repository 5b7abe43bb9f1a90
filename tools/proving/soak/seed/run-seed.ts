import { setTimeout as wait } from 'node:timers/promises';
import { createRandom, type Random } from 'test-support/random';
import type { Verdict } from '../../follows/verdict.ts';
import { FAULTS, type FaultContext, type PlannedFault, planFaults } from '../faults/faults.ts';
import { judgeDatabase, judgeFollow } from '../verdict/judge-follow.ts';
import { Replay } from '../verdict/replay.ts';
import type { LogKeeper } from '../world/log-keeper.ts';
import type { World } from '../world/world.ts';
import { FollowingClient } from './following-client.ts';
import { drawFollows } from './recorded-follow.ts';
import { settle, writeLastRecords } from './settle.ts';
import { Turnstile, Writer } from './writer.ts';

export interface SeedOptions {
  readonly seed: number;
  readonly follows: number;
  /** How long faults come. */
  readonly faultsMs: number;
  /** Time for every follow to get everything once the faults are over. */
  readonly settleTimeoutMs: number;
}

/** What came of a seed. */
export interface SeedReport extends Verdict {
  readonly faults: readonly PlannedFault[];
  readonly settleMs: number;
}

const WRITERS = 2;
const POPULATION = 40;
const FOLLOWS_PER_CLIENT = 10;
const LATE_SHARE = 0.2;
/** No fault is about yet, but the machine may be busy. */
const START_TIMEOUT_MS = 300_000;
const SHORT_LIVED_SHARE = 0.3;
const REVOKED_SHARE = 0.3;

/** Lets random writers, follows and faults loose on a world, and compares every follow with the log. */
export async function runSeed(world: World, options: SeedOptions): Promise<SeedReport> {
  const draw = (name: string) => createRandom(options.seed, name);
  await world.heal();
  const keepers = await world.clear();
  const turnstile = new Turnstile();
  await using stack = new AsyncDisposableStack();
  const writers: Writer[] = [];
  for (let number = 1; number <= WRITERS; number += 1) {
    const store = stack.use(await world.openWriterStore());
    writers.push(new Writer(store, draw(`writer ${number}`), turnstile));
  }
  await Promise.all(writers.map((writer) => writer.populate(POPULATION)));

  const specs = drawFollows(draw('follows'), options.follows);
  const clients: FollowingClient[] = [];
  for (let from = 0; from < specs.length; from += FOLLOWS_PER_CLIENT) {
    const subject = `client ${clients.length + 1}`;
    const random = draw(subject);
    let lifetimeMs = random.chance(SHORT_LIVED_SHARE) ? random.int(2_500, 6_000) : undefined;
    const client = new FollowingClient({
      baseUrl: world.baseUrl,
      specs: specs.slice(from, from + FOLLOWS_PER_CLIENT),
      random,
      issueToken: (reason) => {
        // On a busy machine a request may take longer than a short life.
        if (reason === 'refused' && lifetimeMs !== undefined) lifetimeMs *= 2;
        return world.tokens.issue(subject, lifetimeMs);
      },
    });
    clients.push(stack.use(client));
  }

  const writing = new AbortController();
  const written = Promise.all(writers.map((writer) => writer.run(writing.signal)));
  const wrong: string[] = [];
  const faults = planFaults(draw('faults'), world.database.kind, options.faultsMs);
  wrong.push(...(await startClients(clients, draw('start'), options.faultsMs)));
  const context = createContext({ world, keepers, turnstile, clients, random: draw('fault details') });
  await Promise.all([wait(options.faultsMs), ...faults.map((fault) => strike(fault, context, wrong))]);
  for (const client of clients) client.start();
  writing.abort();
  await written;
  await world.heal();
  const healedMs = performance.now();

  await writeLastRecords(world, specs, draw('last records'));
  const replays = new Map<string, Replay>();
  for (const keeper of keepers) {
    await keeper.readToHead();
    replays.set(keeper.resource, new Replay(keeper.start, keeper.changes));
  }
  const follows = clients.flatMap((client) => client.follows);
  wrong.push(...(await settle(follows, replays, options.settleTimeoutMs)));
  const settleMs = Math.round(performance.now() - healedMs);
  await stack.disposeAsync();
  wrong.push(...clients.flatMap((client) => client.failures));
  // There may be more of them than a call takes arguments.
  for (const fault of await judge(world, clients, replays)) wrong.push(fault);
  const observations = follows.flatMap((follow) => follow.observations);
  return {
    seed: options.seed,
    faults,
    wrong,
    changes: keepers.reduce((sum, { changes }) => sum + changes.length, 0),
    events: observations.filter(({ kind }) => kind === 'event').length,
    snapshots: observations.filter(({ kind }) => kind === 'taken').length,
    settleMs,
  };
}

/** Most clients are live before the first fault; the others start at some moment among the faults. */
async function startClients(
  clients: readonly FollowingClient[],
  random: Random,
  faultsMs: number,
): Promise<readonly string[]> {
  const early: FollowingClient[] = [];
  for (const client of clients) {
    if (random.chance(LATE_SHARE)) setTimeout(() => client.start(), random.int(0, faultsMs / 2));
    else early.push(client);
  }
  for (const client of early) client.start();
  const timeout = wait(START_TIMEOUT_MS, false, { ref: false });
  for (const { spec, isLive } of early.flatMap(({ follows }) => follows)) {
    const isInTime = await Promise.race([isLive.then(() => true), timeout]);
    if (!isInTime) return [`${spec.name} was not live ${START_TIMEOUT_MS} ms after the start`];
  }
  return [];
}

async function strike({ name, atMs }: PlannedFault, context: FaultContext, wrong: string[]): Promise<void> {
  await wait(atMs);
  try {
    await FAULTS[name](context);
  } catch (error) {
    wrong.push(`${name} failed: ${error instanceof Error ? error.stack : String(error)}`);
  }
}

interface ContextParts {
  readonly world: World;
  readonly keepers: readonly LogKeeper[];
  readonly turnstile: Turnstile;
  readonly clients: readonly FollowingClient[];
  readonly random: Random;
}

function createContext({ world, keepers, turnstile, clients, random }: ContextParts): FaultContext {
  const busy = new Map<number, Promise<void>>();
  return {
    world,
    random,
    prune: (kept) =>
      turnstile.alone(async () => {
        for (const keeper of keepers) await keeper.readToHead();
        await world.prune(kept);
      }),
    withGateway: async (index, work) => {
      const working = (busy.get(index) ?? Promise.resolve()).then(work);
      busy.set(
        index,
        working.catch(() => {}),
      );
      await working;
    },
    revokeTokens: async () => {
      for (let number = 1; number <= clients.length; number += 1) {
        if (random.chance(REVOKED_SHARE)) await world.tokens.revoke(`client ${number}`);
      }
    },
    restartClient: () => random.pick(clients).restart(),
  };
}

async function judge(
  world: World,
  clients: readonly FollowingClient[],
  replays: ReadonlyMap<string, Replay>,
): Promise<readonly string[]> {
  const wrong: string[] = [];
  const judged = new Set<string>();
  for (const follow of clients.flatMap((client) => client.follows)) {
    const { name, resource, filter } = follow.spec;
    const replay = replays.get(resource);
    if (replay === undefined) continue;
    const found = [...judgeFollow(await follow.observed(), replay)];
    const query = `${resource} ${JSON.stringify(filter)}`;
    if (!judged.has(query)) found.push(...(await judgeDatabase(world.store, resource, filter, replay)));
    judged.add(query);
    wrong.push(...found.map((fault) => `${name} (${query}): ${fault}`));
  }
  return wrong;
}
