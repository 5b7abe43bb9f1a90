import { type Clock, systemClock } from '../../src/clock/clock.ts';

/** A clock that runs faster: `patience` is what is left of each deadline, above 0 and at most 1. */
export function hurried(patience: number): Clock {
  const startMs = systemClock.nowMs();
  return {
    nowMs: () => startMs + (systemClock.nowMs() - startMs) / patience,
    wait: (ms, signal) => systemClock.wait(ms * patience, signal),
  };
}
