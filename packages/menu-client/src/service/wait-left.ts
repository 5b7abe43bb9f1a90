import type { Clock } from '../http/clock.ts';
import type { WaitOptions } from './contract/wait-options.ts';

/** What is left of an answer's wait, in ms; undefined for the usual one. */
export type WaitLeft = () => number | undefined;

/** Counts down from now, so that all parts of one answer share its wait. */
export function waitLeft(clock: Clock, { waitMs }: WaitOptions): WaitLeft {
  if (waitMs === undefined) return () => undefined;
  const untilMs = clock.nowMs() + waitMs;
  return () => Math.max(0, untilMs - clock.nowMs());
}
