import type { Clock } from '../../http/clock.ts';
import type { ReadSubject } from '../contract/menu-service.ts';

/** One read of an operator, as far as it waits for an answer. */
interface Listening {
  readonly what: ReadSubject;
  /** When each request under way was sent. */
  readonly requests: Set<{ readonly sentAtMs: number }>;
  /** When the first request was sent that got no answer and is tried again. */
  unansweredSinceMs: number | undefined;
}

/** How long the operator has been silent in reads that are under way; waiting for a turn is not silence. */
export class Silences {
  readonly #clock: Clock;
  readonly #reads = new Set<Listening>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Runs a read; it has to run each of its requests by `listen`. */
  async during<T>(what: ReadSubject, read: (listen: Listen) => Promise<T>): Promise<T> {
    const listening: Listening = { what, requests: new Set(), unansweredSinceMs: undefined };
    this.#reads.add(listening);
    try {
      return await read((request) => this.#listen(listening, request));
    } finally {
      this.#reads.delete(listening);
    }
  }

  /** What has had no answer for at least `minMs`, and since when, in ms since the epoch; one for each subject, the longest. */
  longerThan(minMs: number): ReadonlyMap<ReadSubject, number> {
    const found = new Map<ReadSubject, number>();
    for (const { what, requests, unansweredSinceMs } of this.#reads) {
      const sentAtMs = [...requests].map((request) => request.sentAtMs);
      const sinceMs = Math.min(unansweredSinceMs ?? Number.POSITIVE_INFINITY, ...sentAtMs);
      if (this.#clock.nowMs() - sinceMs < minMs) continue;
      found.set(what, Math.min(sinceMs, found.get(what) ?? sinceMs));
    }
    return found;
  }

  async #listen<T>(listening: Listening, send: () => Promise<T>): Promise<T> {
    const request = { sentAtMs: this.#clock.nowMs() };
    listening.requests.add(request);
    try {
      const answer = await send();
      listening.unansweredSinceMs = undefined;
      return answer;
    } catch (error) {
      listening.unansweredSinceMs ??= request.sentAtMs;
      throw error;
    } finally {
      listening.requests.delete(request);
    }
  }
}

/** Sends one request. */
export type Listen = <T>(send: () => Promise<T>) => Promise<T>;
