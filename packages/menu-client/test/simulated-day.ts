import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Fetch, systemClock } from 'menu-client';
import type { Sandbox, Vendor } from 'menu-sandbox';
import { vi } from 'vitest';

/** Turns of this process in which nothing may happen before time passes: what was answered is worked on meanwhile. */
const QUIET_TURNS = 3;

/** Requests of one operator, from their beginning to the end of their bodies. */
export interface CountedFetch {
  readonly fetch: Fetch;
  /** How many were under way at once at most. */
  readonly maxInFlight: () => number;
}

/**
 * Time that stands still while anything is under way, and goes on to the next timer when there is nothing but waiting: a
 * day is over as soon as its work is done, and no answer is late because the machine is slow.
 */
export class SimulatedDay implements AsyncDisposable {
  readonly clock = systemClock;
  readonly #sandbox: Sandbox;
  readonly #stopped = new AbortController();
  readonly #passing: Promise<void>;
  #inFlight = 0;
  #begun = 0;
  /** Requests that ended unanswered: only those that hang outlast a time in which nothing else happens. */
  #abandoned = 0;
  /** Of them, those that the sandbox has stopped to work on. */
  #noticed = 0;

  private constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
    this.#passing = this.#pass();
  }

  /** The sandbox asks for the time too, so it is started in it. */
  static async start(
    startMs: number,
    startSandbox: (nowMs: () => number) => Promise<Sandbox>,
  ): Promise<SimulatedDay> {
    vi.useFakeTimers({ now: startMs, toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    return new SimulatedDay(await startSandbox(() => Date.now()));
  }

  get sandbox(): Sandbox {
    return this.#sandbox;
  }

  countedFetch(): CountedFetch {
    let inFlight = 0;
    let most = 0;
    const fetch: Fetch = async (input, init) => {
      inFlight += 1;
      this.#inFlight += 1;
      this.#begun += 1;
      most = Math.max(most, inFlight);
      try {
        const response = await globalThis.fetch(input, init);
        const body = await response.arrayBuffer();
        return new Response(body.byteLength === 0 ? null : body, response);
      } catch (error) {
        if (init?.signal?.aborted === true) this.#abandoned += 1;
        throw error;
      } finally {
        inFlight -= 1;
        this.#inFlight -= 1;
      }
    };
    return { fetch, maxInFlight: () => most };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped.abort();
    await this.#passing;
    vi.useRealTimers();
    await this.#sandbox.close();
  }

  async #pass(): Promise<void> {
    const { signal } = this.#stopped;

    while (!signal.aborted) {
      await this.#quiet(signal);
      if (!signal.aborted) vi.advanceTimersToNextTimer();
    }
  }

  async #quiet(signal: AbortSignal): Promise<void> {
    for (let begun = -1; begun !== this.#begun || !this.#onlyHangs(); ) {
      begun = this.#begun;
      for (let turns = 0; turns < QUIET_TURNS; turns += 1) {
        if (signal.aborted) return;
        await nextTurn();
      }
    }
  }

  /** True when each request under way is one that the sandbox never answers, and it has noticed which were given up. */
  #onlyHangs(): boolean {
    if (this.#inFlight === 0 && this.#abandoned === this.#noticed) return true;
    const { welstory, shinsegae } = this.#sandbox.stats();
    const hung = (welstory.faults.hang ?? 0) + (shinsegae.faults.hang ?? 0);
    const isSo =
      hung - this.#abandoned === this.#inFlight && welstory.inFlight + shinsegae.inFlight === this.#inFlight;
    if (isSo) this.#noticed = this.#abandoned;
    return isSo;
  }
}

/** What the sandbox's kitchen planned, by code of the meal: how many courses. */
export function plannedMeals(
  sandbox: Sandbox,
  vendor: Vendor,
  id: string,
  date: string,
): ReadonlyMap<string, number> {
  return new Map(sandbox.plan(vendor, id, date).map(({ meal, courses }) => [meal.code, courses.length]));
}
