import { setImmediate as nextTurn } from 'node:timers/promises';

/** Where the gateway takes its time from. */
export interface Clock {
  /** Time in ms since the epoch; may step. Decides when credentials expire. */
  wallMs(): number;
  /** Time in whole ms since some fixed moment; never steps. Decides timeouts, heartbeats and rates. */
  monotonicMs(): number;
  /** Calls back once after a delay in ms. Returns a function that cancels it. */
  after(delayMs: number, callback: () => void): () => void;
  /** Resolves after pending I/O had its turn. */
  nextTurn(): Promise<void>;
}

/** One moment on both clocks. */
export interface Instant {
  /** Milliseconds since 1970, as used by people and credentials; it may jump. */
  readonly wallMs: number;
  /** Milliseconds since any fixed moment; it never goes back. */
  readonly monotonicMs: number;
}

/** The process's own clocks. */
export const SYSTEM_CLOCK: Clock = {
  wallMs: () => Date.now(),
  monotonicMs: () => Math.floor(performance.now()),
  after: (delayMs, callback) => {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
  nextTurn: () => nextTurn(),
};

export function readClock(clock: Clock): Instant {
  return { wallMs: clock.wallMs(), monotonicMs: clock.monotonicMs() };
}
