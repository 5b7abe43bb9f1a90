import { setTimeout } from 'node:timers/promises';

/** The time, and a way to wait. */
export interface Clock {
  /** Milliseconds since 1970. */
  nowMs(): number;
  /** Waits. @throws AbortError when the signal is aborted */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  wait: async (ms, signal) => {
    await setTimeout(ms, undefined, signal === undefined ? {} : { signal });
  },
};
