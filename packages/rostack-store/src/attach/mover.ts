import { setTimeout as delay } from 'node:timers/promises';
import { anObject, optional, optionsOf, wholeNumber } from 'rostack-core';
import type { StoreAlarm } from '../errors/index.ts';
import { checkOption } from '../options/check-option.ts';
import { MAX_DELAY_MS } from '../options/max-delay.ts';
import type { Store } from '../store.ts';
import { AttachmentRunner, type MoverStatus, type StepResult } from './attachment-runner.ts';
import { MAX_LEASE_MS } from './leader-lease.ts';
import { postgresPartsOf, storePartsFor } from './store-parts.ts';
import { resolveSource, type TableSource } from './table-source.ts';

export interface MoverOptions {
  /** How often an idle leader looks into the inbox; right after changes it looks sooner. @default 250 */
  readonly pollIntervalMs?: number | undefined;
  /** How often a process that does not lead tries to, and a stopped one looks again. @default 1000 */
  readonly takeoverIntervalMs?: number | undefined;
  /** For how long a process that died or hangs is still taken for the leader, 100 to 30000; renewed at a third of it. @default 5000 */
  readonly leaseMs?: number | undefined;
}

const moverOptions = optionsOf<MoverOptions>({
  pollIntervalMs: optional(wholeNumber(1, MAX_DELAY_MS)),
  takeoverIntervalMs: optional(wholeNumber(1, MAX_DELAY_MS)),
  leaseMs: optional(wholeNumber(100, MAX_LEASE_MS)),
});

const FIRST_WAIT_MS = 10;
const MIN_RETRY_MS = 250;
const MAX_RETRY_MS = 10_000;

/** Keeps resources equal to their tables, where this process leads. Close it before the store. */
export class Mover implements AsyncDisposable {
  readonly #onAlarm: (alarm: StoreAlarm) => void;
  readonly #runners: readonly AttachmentRunner[];
  readonly #pollIntervalMs: number;
  readonly #takeoverIntervalMs: number;
  readonly #closing = new AbortController();
  readonly #running: Promise<unknown>;

  /** Use `startMover`. */
  constructor(
    onAlarm: (alarm: StoreAlarm) => void,
    runners: readonly AttachmentRunner[],
    options: MoverOptions,
  ) {
    this.#onAlarm = onAlarm;
    this.#runners = runners;
    this.#pollIntervalMs = options.pollIntervalMs ?? 250;
    this.#takeoverIntervalMs = options.takeoverIntervalMs ?? 1_000;
    this.#running = Promise.all(runners.map((runner) => this.#drive(runner)));
  }

  /** One per resource, as this process sees it. */
  get status(): readonly MoverStatus[] {
    return this.#runners.map(({ status }) => status);
  }

  /** Waits for the transactions under way; then another process may lead. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  get #isClosing(): boolean {
    return this.#closing.signal.aborted;
  }

  async #drive(runner: AttachmentRunner): Promise<void> {
    let waitMs = FIRST_WAIT_MS;
    let retryMs = MIN_RETRY_MS;
    while (!this.#isClosing) {
      let result: StepResult;
      try {
        result = await runner.step();
        retryMs = MIN_RETRY_MS;
      } catch (error) {
        if (this.#isClosing) break;
        this.#alarm(runner.name, error);
        await this.#wait(retryMs);
        retryMs = Math.min(retryMs * 2, MAX_RETRY_MS);
        continue;
      }
      if (result === 'more') {
        waitMs = FIRST_WAIT_MS;
        continue;
      }
      await this.#wait(result === 'waiting' ? this.#takeoverIntervalMs : waitMs);
      waitMs = Math.min(waitMs * 2, this.#pollIntervalMs);
    }
    await runner.resign();
  }

  async #wait(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.#closing.signal }).catch(() => {});
  }

  #alarm(resource: string, cause: unknown): void {
    const message = `moving rows of ${resource} failed and is tried again: ${cause instanceof Error ? cause.message : String(cause)}`;
    this.#onAlarm({ code: 'move_failed', message, resource, cause });
  }
}

/**
 * Starts moving the changes of attached tables into the log. Any number of processes may; for each resource one leads, and when it
 * ends or hangs another one goes on within seconds. Uses one of the store's connections at a time for each resource.
 * @param sources the tables that were attached with `attachTable`, by resource
 * @throws StoreOptionsError `store_options_invalid` when the store was not opened with a resource, or is not PostgreSQL
 * @throws AttachRefusedError `attach_refused` when a resource cannot be fed by its table
 */
export function startMover(
  store: Store,
  sources: Readonly<Record<string, TableSource>>,
  options: MoverOptions = {},
): Mover {
  checkOption(anObject, sources, 'sources');
  checkOption(moverOptions, options);
  const { leaseMs = 5_000 } = options;
  const { options: storeOptions } = postgresPartsOf(store);
  const runners = Object.entries(sources).map(([name, source]) => {
    const { target, ...parts } = storePartsFor(store, name);
    return new AttachmentRunner(parts, target, resolveSource(source, target.resource), leaseMs);
  });
  return new Mover(storeOptions.onAlarm, runners, options);
}
