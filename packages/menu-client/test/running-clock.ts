import { type Clock, systemClock } from 'menu-client';

const startMs = Date.parse('2026-11-18T03:00:00Z') - performance.now();

/** Runs like the real one from noon of Wednesday, 18 November 2026 in Seoul on; the same for all of a test file. */
export function runningClock(): Clock {
  return { ...systemClock, nowMs: () => startMs + performance.now() };
}
