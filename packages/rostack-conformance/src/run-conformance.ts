import { CHECKS, WATCHES } from './checks.ts';
import { type ConformanceRun, type RunObserver, runWith } from './run/run-with.ts';
import { checkTarget, type Target } from './run/target.ts';

export type { ConformanceRun, RunObserver };

/**
 * Checks a target, one check after the other. What is wrong with the target is in the result and nothing is thrown for it.
 * @throws KitError `usage` without a URL, and for one that is none; `unreachable` if nobody answers there
 */
export async function runConformance(target: Target, observer: RunObserver = {}): Promise<ConformanceRun> {
  checkTarget(target);
  return runWith({ checks: CHECKS, watches: WATCHES }, target, observer);
}
