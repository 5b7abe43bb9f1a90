import type { Random } from 'test-support/random';
import type { StoreWeather } from '../store/node-source.ts';
import type { GatewayNode } from './gateway-node.ts';
import type { World } from './world.ts';
import { drawWrites, writeBurst } from './writer.ts';

/** Does something bad to the world, for at most so long. */
type Fault = (world: World, random: Random, lastsMs: number) => void;

/** Changes how the database serves one gateway, until the time has passed. */
const weather =
  (draw: (random: Random) => Partial<StoreWeather>): Fault =>
  (world, random, lastsMs) => {
    const node = random.pick(world.gateways);
    const change = draw(random);
    Object.assign(node.weather, change);
    const common = Object.fromEntries(
      Object.keys(change).map((name) => [name, world.commonWeather[name as keyof StoreWeather]]),
    );
    world.scheduler.after(lastsMs, () => Object.assign(node.weather, common));
  };

const anyConnection = (world: World, random: Random) =>
  world.connections.size === 0 ? undefined : random.pick([...world.connections]);

function startLater(world: World, node: GatewayNode, afterMs: number): void {
  world.scheduler.after(afterMs, () => {
    if (!node.isUp) node.start();
  });
}

/** Every kind of fault, by name. */
export const FAULTS: Readonly<Record<string, Fault>> = {
  'the database fails': weather((random) => ({ failure: random.pick([0.05, 0.2, 0.6]) })),
  'the database is slow': weather((random) => ({ maxLatencyMs: random.pick([40, 300, 1_500]) })),
  'a replica lags': weather((random) => ({ lagChanges: random.int(1, 30) })),
  'hints are lost': weather((random) => ({ lostHints: random.pick([0.5, 1]) })),
  'hints come twice': weather(() => ({ doubledHints: 1 })),
  'a backlog is read with failures': (world, random, lastsMs) => {
    for (const node of world.gateways) node.weather.failure = 0.3;
    const resource = random.pick([...world.resources.values()]);
    // One of them is enough for a backlog that takes several reads.
    const changes = resource.head < 300 ? random.int(260, 700) : 20;
    writeBurst(random, resource, changes, world.scheduler.nowMs);
    world.scheduler.after(lastsMs, () => {
      for (const node of world.gateways) node.weather.failure = world.commonWeather.failure;
    });
  },
  'a gateway is paused': (world, random, lastsMs) => random.pick(world.gateways).process?.pause(lastsMs),
  'a gateway is killed': (world, random, lastsMs) => {
    const node = random.pick(world.gateways);
    const process = node.kill();
    if (process !== undefined) world.processGone(process);
    startLater(world, node, lastsMs / 4);
  },
  'a gateway is restarted': (world, random, lastsMs) => {
    void random.pick(world.gateways).restart(Math.min(lastsMs, 1_000));
  },
  'a follower is paused': (world, random, lastsMs) => random.pick(world.clients).process?.pause(lastsMs),
  'a follower is killed': (world, random, lastsMs) => {
    const client = random.pick(world.clients);
    client.kill();
    world.scheduler.after(lastsMs / 4, () => {
      if (client.process === undefined) client.start();
    });
  },
  'a follower is restarted': (world, random) => void random.pick(world.clients).restart(),
  'a follower is slow': (world, random, lastsMs) => {
    const client = random.pick(world.clients);
    client.maxProcessingMs = random.pick([10, 60]);
    world.scheduler.after(lastsMs, () => {
      client.maxProcessingMs = 0;
    });
  },
  'a connection is cut': (world, random) => anyConnection(world, random)?.cut(),
  'a connection is lost without a word': (world, random) => anyConnection(world, random)?.lose(),
  'a connection stalls': (world, random, lastsMs) => {
    anyConnection(world, random)?.stall(random.pick(['client', 'client', 'server']), lastsMs);
    const resource = random.pick([...world.resources.values()]);
    resource.apply(drawWrites(random, 20, 1), world.scheduler.nowMs);
  },
  'requests fail': (world, random, lastsMs) => {
    world.httpFailure = random.pick([0.2, 0.8]);
    world.scheduler.after(lastsMs, () => {
      world.httpFailure = 0;
    });
  },
  'the log is cut short': (world, random) => {
    const resource = random.pick([...world.resources.values()]);
    resource.prune(resource.head - random.int(0, 20));
  },
  'the epoch changes': (world, random) => random.pick([...world.resources.values()]).renewEpoch(),
  'the database is restored': (world, random) => {
    const resource = random.pick([...world.resources.values()]);
    resource.putBack(resource.head - random.int(0, 30), 'new');
  },
  'history comes again': (world, random) => {
    const resource = random.pick([...world.resources.values()]);
    resource.putBack(resource.head - random.int(0, 30), 'same');
    resource.apply(drawWrites(random, random.int(1, 40), 0), world.scheduler.nowMs);
  },
  'tokens are short-lived': (world, random, lastsMs) => {
    world.desk.lifetimeMs = random.pick([1_500, 3_000]);
    world.desk.revokeAll();
    world.scheduler.after(lastsMs, () => {
      world.desk.lifetimeMs = 3_600_000;
    });
  },
  'tokens cannot be judged': (world, random, lastsMs) => {
    world.desk.failure = random.pick([0.3, 1]);
    world.scheduler.after(lastsMs, () => {
      world.desk.failure = 0;
    });
  },
};
