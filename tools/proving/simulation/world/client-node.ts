import { connect, type RostackClient } from 'rostack-client';
import { createRandom, type Random } from 'test-support/random';
import { SimProcess } from '../time/sim-process.ts';
import type { Followed } from './followed.ts';
import { HOST } from './post.ts';
import type { World } from './world.ts';

const RETRY_MS = 300;

/** A program that follows, in a process that may be started again. */
export class ClientNode {
  readonly name: string;
  readonly follows: readonly Followed[];
  readonly #world: World;
  readonly #seed: number;
  /** Longest time that processing one change takes, in ms; changed while faults last. */
  maxProcessingMs = 0;
  #starts = 0;
  #process: SimProcess | undefined;
  #client: RostackClient | undefined;
  /** What was ever made, and is to be closed when the world ends: clients and follows of killed processes too. */
  readonly #made: { close(): unknown }[] = [];

  constructor(world: World, seed: number, name: string, follows: readonly Followed[]) {
    this.#world = world;
    this.#seed = seed;
    this.name = name;
    this.follows = follows;
    this.start();
  }

  get process(): SimProcess | undefined {
    return this.#process;
  }

  start(): void {
    this.#starts += 1;
    const random = createRandom(this.#seed, this.name, this.#starts);
    const process = new SimProcess(this.#world.scheduler, this.name, random.int(-500, 500));
    this.#process = process;
    void this.#run(process, random);
  }

  /** Ends at once, as by SIGKILL. */
  kill(): void {
    const process = this.#process;
    if (process === undefined) return;
    this.#process = undefined;
    this.#client = undefined;
    process.kill();
    this.#world.processGone(process);
  }

  /** Ends in order, then starts again. */
  async restart(): Promise<void> {
    const process = this.#process;
    this.#process = undefined;
    await this.#client?.close();
    this.#client = undefined;
    if (process === undefined) return;
    process.kill();
    this.#world.processGone(process);
    this.start();
  }

  /** Ends for good, with the world. */
  end(): void {
    this.#process = undefined;
    for (const each of this.#made) each.close();
  }

  async #run(process: SimProcess, random: Random): Promise<void> {
    const isCurrent = (): boolean => this.#process === process;
    while (isCurrent()) {
      try {
        const client = await connect(
          `https://${HOST}`,
          () => this.#world.credential(process, this.name, random),
          {
            fetch: (input, init) => this.#world.fetch(process, random, input, init),
            WebSocket: this.#world.webSocketFor(process, random),
            clock: process.clock,
            random: () => random.int(0, 9_999) / 10_000,
            bookmarkAfterMs: random.pick([100, 1_000, 600_000]),
            // Waits are so short here that a replica which lags would end every follow.
            limits: { maxQueuedEvents: random.pick([8, 1_024]) },
          },
        );
        this.#made.push(client);
        if (!isCurrent()) return;
        this.#client = client;
        for (const followed of this.follows) void this.#follow(client, process, random, followed);
        return;
      } catch (error) {
        if (!isCurrent()) return;
        this.#world.trace(this.name, () => `connect: ${String(error)}`);
        await process.wait(RETRY_MS);
      }
    }
  }

  async #follow(
    client: RostackClient,
    process: SimProcess,
    random: Random,
    followed: Followed,
  ): Promise<void> {
    const { name, filter, resource, oracle } = followed;
    const isCurrent = (): boolean => this.#process === process;
    while (isCurrent()) {
      try {
        const follow = client.follow(resource.name, {
          ...(filter === undefined ? {} : { filter }),
          store: followed.storeFor(process, random),
          key: name,
        });
        this.#made.unshift(follow);
        for await (const change of follow) {
          if (!isCurrent()) return;
          this.#world.trace(name, () => describe(change));
          oracle.take(change);
          if (this.maxProcessingMs > 0) await process.wait(random.int(0, this.maxProcessingMs));
        }
        return;
      } catch (error) {
        if (!isCurrent()) return;
        this.#world.trace(name, () => `ended: ${String(error)}`);
        this.#world.followEnded(name, error);
        await process.wait(RETRY_MS);
      }
    }
  }
}

function describe(change: {
  readonly kind: string;
  readonly reason?: string;
  readonly id?: string;
  readonly cursor?: string;
  readonly event?: { readonly cursor: string };
}): string {
  const { kind, reason = '', id = '', cursor = change.event?.cursor ?? '' } = change;
  return [kind, reason, id, cursor.slice(cursor.indexOf('.', 2) + 1)].filter((part) => part !== '').join(' ');
}
