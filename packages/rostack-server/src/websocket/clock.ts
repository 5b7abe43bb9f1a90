/** Where the gateway takes its time from. */
export interface Clock {
  /** Time in ms since the epoch; may step. Decides when credentials expire. */
  wallMs(): number;
  /** Time in whole ms since some fixed moment; never steps. Decides timeouts, heartbeats and rates. */
  monotonicMs(): number;
}

/** One moment on both clocks. */
export interface Instant {
  readonly wallMs: number;
  readonly monotonicMs: number;
}

/** The process's own clocks. */
export const SYSTEM_CLOCK: Clock = {
  wallMs: () => Date.now(),
  monotonicMs: () => Math.floor(performance.now()),
};

export function readClock(clock: Clock): Instant {
  return { wallMs: clock.wallMs(), monotonicMs: clock.monotonicMs() };
}
