import { type Clock, systemClock } from '../../src/base/clock.ts';

const TICK_MS = 25;

/** Turns of this process, each of `TICK_MS` at least. */
let turns = 0;
setInterval(() => {
  turns += 1;
}, TICK_MS).unref();

/**
 * A clock that runs faster: `patience` is what is left of each deadline, above 0 and at most 1. A deadline is so many
 * turns of this process, in which both sides run: on a busy machine, where a turn takes longer, so do they. Its time is
 * that of the turns too, lest a deadline that is compared with it is over sooner; it never lags behind the real one, by
 * which credentials expire.
 */
export function hurried(patience: number): Clock {
  const [startMs, firstTurn] = [systemClock.nowMs(), turns];
  return {
    nowMs: () => Math.max(systemClock.nowMs(), startMs + ((turns - firstTurn) * TICK_MS) / patience),
    wait: async (ms, signal) => {
      for (let leftMs = ms * patience; leftMs > 0; leftMs -= TICK_MS) {
        await systemClock.wait(Math.min(leftMs, TICK_MS), signal);
      }
    },
  };
}
