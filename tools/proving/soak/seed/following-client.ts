import { setTimeout as wait } from 'node:timers/promises';
import {
  ClientError,
  type CredentialReason,
  connect,
  MemoryStateStore,
  type RostackClient,
} from 'rostack-client';
import type { Random } from 'test-support/random';
import type { FollowSpec } from './recorded-follow.ts';
import { RecordedFollow } from './recorded-follow.ts';

export interface FollowingClientOptions {
  readonly baseUrl: string;
  readonly specs: readonly FollowSpec[];
  readonly random: Random;
  /** Gives a token whenever the client asks for one. */
  readonly issueToken: (reason: CredentialReason) => Promise<string>;
}

const RETRY_MS = 100;
const SLOW_SHARE = 0.1;
const MAX_PAUSE_MS = 8;
const FRACTIONS = 1_000_000;

/** One client with several follows, which can be ended and started again from what it has stored. */
export class FollowingClient implements AsyncDisposable {
  readonly follows: readonly RecordedFollow[];
  /** What ended a follow for good; nothing should. */
  readonly failures: string[] = [];
  readonly #options: FollowingClientOptions;
  #life: { readonly end: AbortController; readonly running: Promise<void> } | undefined;

  constructor(options: FollowingClientOptions) {
    const { specs, random } = options;
    this.#options = options;
    this.follows = specs.map((spec) => {
      const pauseMs = random.chance(SLOW_SHARE) ? random.int(1, MAX_PAUSE_MS) : 0;
      return new RecordedFollow(spec, new MemoryStateStore(), pauseMs);
    });
  }

  start(): void {
    const end = new AbortController();
    this.#life ??= { end, running: this.#run(end.signal) };
  }

  /** Ends at once, in the middle of its work, and starts from its stored states. */
  async restart(): Promise<void> {
    if (this.#life === undefined) return;
    await this.#stop();
    this.start();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stop();
  }

  async #stop(): Promise<void> {
    const life = this.#life;
    life?.end.abort();
    await life?.running;
    this.#life = undefined;
  }

  async #run(signal: AbortSignal): Promise<void> {
    const client = await this.#connect(signal);
    if (client === undefined) return;
    const following = this.follows.map((follow) => this.#follow(client, follow, signal));
    const onAbort = () => void client.close();
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    await Promise.all(following);
    await client.close();
  }

  /** Tries until there is a gateway. */
  async #connect(signal: AbortSignal): Promise<RostackClient | undefined> {
    const { baseUrl, issueToken, random } = this.#options;
    while (!signal.aborted) {
      try {
        const credentials = async ({ reason }: { readonly reason: CredentialReason }) =>
          ({ method: 'shared_token', token: await issueToken(reason) }) as const;
        return await connect(baseUrl, credentials, {
          random: () => random.int(0, FRACTIONS - 1) / FRACTIONS,
          limits: { requestTimeoutMs: 10_000 },
        });
      } catch (error) {
        if (!isPassing(error)) throw error;
        await wait(RETRY_MS);
      }
    }
    return undefined;
  }

  async #follow(client: RostackClient, follow: RecordedFollow, signal: AbortSignal): Promise<void> {
    const { name: key, resource, filter } = follow.spec;
    while (!signal.aborted) {
      try {
        const changes = client.follow(resource, { store: follow.store, key, ...(filter && { filter }) });
        for await (const change of changes) {
          if (signal.aborted) return;
          follow.record(change);
          if (follow.pauseMs > 0) await wait(follow.pauseMs);
        }
      } catch (error) {
        if (signal.aborted) return;
        if (!isPassing(error)) {
          this.failures.push(`${key} ended: ${error instanceof Error ? error.stack : String(error)}`);
          return;
        }
        await wait(RETRY_MS);
      }
    }
  }
}

/** What a consumer is told to try again. */
function isPassing(error: unknown): boolean {
  return error instanceof ClientError && error.retryable;
}
