import { CHECKS, WATCHES } from '../checks/checks.ts';
import { type ConformanceRun, type RunObserver, runWith } from './run-with.ts';
import { checkTarget, type Target } from './target.ts';

export type { ConformanceRun, RunObserver };

/**
 * Checks a target. Checks run one after the other, but for those that only wait for its WebSocket. Faults of the target are in the result; nothing is thrown for them.
 * @throws KitError `usage` without a valid URL; `unreachable` if nothing answers there
 */
export async function runConformance(target: Target, observer: RunObserver = {}): Promise<ConformanceRun> {
  checkTarget(target);
  return runWith({ checks: CHECKS, watches: WATCHES }, target, observer);
}
