import { setTimeout as wait } from 'node:timers/promises';
import { ClientError, connect, MemoryStateStore } from 'rostack-client';
import type { JsonObject } from 'rostack-core';
import type { Random } from 'test-support/random';
import { type Place, placeOf } from '../follows/history.ts';
import { type Given, type Histories, show } from './histories.ts';
import { SentErrors } from './sent-errors.ts';

export interface FollowerOptions {
  readonly name: string;
  readonly baseUrl: string;
  readonly token: string;
  readonly resource: string;
  readonly filter: JsonObject | undefined;
  readonly random: Random;
  /** Names the gateway that a connection from a local port leads to. */
  readonly gatewayAt: (localPort: number) => string;
}

const RETRY_MS = 100;
const FRACTIONS = 1_000_000;

/** A follow whose connections lead to any gateway, and what it was given since it was last judged. */
export class Follower implements AsyncDisposable {
  readonly name: string;
  readonly resource: string;
  readonly #options: FollowerOptions;
  readonly #end = new AbortController();
  readonly #running: Promise<void>;
  readonly #given: Given[] = [];
  readonly #errors: SentErrors;
  #place: Place | undefined;
  events = 0;
  snapshots = 0;
  /** What ended it for good; nothing should. */
  failure: string | undefined;

  constructor(options: FollowerOptions) {
    this.name = options.name;
    this.resource = options.resource;
    this.#options = options;
    this.#errors = new SentErrors(options.gatewayAt);
    this.#running = this.#run();
  }

  /** Compares what it was given with the histories; returns what is wrong. */
  judge(histories: Histories): readonly string[] {
    const wrong: string[] = this.failure === undefined ? [] : [this.failure];
    for (const given of this.#given.splice(0)) {
      const before = this.#place;
      const fault = histories.judge(before, given, this.#options.filter);
      if (fault !== undefined) wrong.push(fault);
      const isTaken = given.records !== undefined && given.isRestored !== true;
      if (isTaken && before !== undefined && !histories.isRefusable(before, given.refusedAtMs)) {
        const exchange = `lost ${show(before)}, which the history has, for a set of ${show(given.place)}`;
        wrong.push(`${exchange}; ${given.why}`);
      }
      this.#place = given.place;
    }
    return wrong.map((fault) => `${this.name}: ${fault}`);
  }

  /** Whether it was given all there is, as far as it was judged. */
  isUpToDate(histories: Histories): boolean {
    return this.#place !== undefined && histories.isNewest(this.#place, this.#options.filter);
  }

  /** Where it is, for people. */
  get where(): string {
    return this.#place === undefined ? 'before its first set' : `at ${show(this.#place)}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#end;
    const store = new MemoryStateStore();
    while (!signal.aborted) {
      try {
        await this.#follow(store, signal);
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof ClientError && error.retryable)) {
          this.failure = `it ended: ${error instanceof Error ? error.stack : String(error)}`;
          return;
        }
        await wait(RETRY_MS);
      }
    }
  }

  async #follow(store: MemoryStateStore, signal: AbortSignal): Promise<void> {
    const { baseUrl, token, resource, filter, random, name } = this.#options;
    await using client = await connect(
      baseUrl,
      { method: 'shared_token', token },
      {
        random: () => random.int(0, FRACTIONS - 1) / FRACTIONS,
        bookmarkAfterMs: 0,
        WebSocket: this.#errors.WebSocket,
        signal,
      },
    );
    for await (const change of client.follow(resource, { store, key: name, ...(filter && { filter }) })) {
      if (signal.aborted) return;
      if (change.kind === 'live') continue;
      if (change.kind === 'snapshot') {
        const { reason, records, cursor } = change;
        const isRestored = reason === 'restored';
        if (!isRestored) this.snapshots += 1;
        const { texts, refusedAtMs } = this.#errors.take();
        const why = `${reason} at ${new Date().toISOString()} after ${texts.join(', ') || 'no error'}`;
        this.#given.push({ place: placeOf(cursor), records, isRestored, why, refusedAtMs, event: undefined });
      } else {
        this.events += 1;
        const record = 'record' in change ? change.record : undefined;
        const place = placeOf(change.event.cursor);
        this.#given.push({ place, records: undefined, event: { id: change.id, record } });
      }
    }
  }
}
