import { CHECKS, WATCHES } from './checks.ts';
import { KitError } from './error/kit-error.ts';
import { type ConformanceRun, type RunObserver, runWith } from './run/run-with.ts';
import type { Target } from './run/target.ts';

export type { ConformanceRun, RunObserver };

/**
 * Checks a target, one check after the other. What is wrong with the target is in the result and nothing is thrown for it.
 * @throws KitError `usage` without a URL, and for one that is none; `unreachable` if nobody answers there
 */
export async function runConformance(target: Target, observer: RunObserver = {}): Promise<ConformanceRun> {
  const { url }: Partial<Target> = Object(target);
  if (url === undefined)
    throw new KitError('usage', 'Give a target with a url, such as https://data.example.com.');
  return runWith({ checks: CHECKS, watches: WATCHES }, target, observer);
}
