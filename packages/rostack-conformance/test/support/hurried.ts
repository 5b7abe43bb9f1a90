import { type Clock, systemClock } from '../../src/clock/clock.ts';

const TICK_MS = 25;

/**
 * A clock that runs faster: `patience` is what is left of each deadline, above 0 and at most 1. A deadline is so many
 * turns of this process, in which both sides run: on a busy machine, where a turn takes longer, so do they.
 */
export function hurried(patience: number): Clock {
  const startMs = systemClock.nowMs();
  return {
    nowMs: () => startMs + (systemClock.nowMs() - startMs) / patience,
    wait: async (ms, signal) => {
      for (let leftMs = ms * patience; leftMs > 0; leftMs -= TICK_MS) {
        await systemClock.wait(Math.min(leftMs, TICK_MS), signal);
      }
    },
  };
}
