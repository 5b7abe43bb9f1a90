import type { Check, Watch } from '../check/check.ts';
import { LEVELS } from '../check/level.ts';
import { readRequirements } from '../report/requirements/read-requirements.ts';
import { type CheckResult, runCheck } from './run-check.ts';
import { openSession } from './session.ts';
import type { Target } from './target.ts';
import { type Verdict, verdictOn } from './verdict.ts';

/** What a run has found. */
export interface ConformanceRun {
  /** The target that was checked. */
  readonly target: Pick<Target, 'url'>;
  /** The release that it was checked by. */
  readonly release: string;
  /** What the target says about itself; undefined without a usable discovery document. */
  readonly implementation:
    | { readonly id: string; readonly name: string; readonly apiVersion: string }
    | undefined;
  /** The integer that determined all random choices. */
  readonly seed: number;
  /** Milliseconds since 1970. */
  readonly startedMs: number;
  /** Milliseconds that it took. */
  readonly durationMs: number;
  /** HTTP requests that were sent. */
  readonly requests: number;
  /** What each check has found, in the order of the run. */
  readonly results: readonly CheckResult[];
  /** One for each requirement of the release that a server has to keep, in the order of the protocol. */
  readonly verdicts: readonly Verdict[];
}

/** Callbacks during a run. */
export interface RunObserver {
  /** Called when a check has ended. */
  readonly onCheck?: (result: CheckResult) => void;
  /** Called when the target asks to wait. */
  readonly onWait?: (waitMs: number) => void;
}

/** Whether a name or id is one of the requested ones, or below one. */
const isBelow = (name: string, only: readonly string[]): boolean =>
  only.some((wanted) => name === wanted || name.startsWith(`${wanted}.`));

/** The selected checks of a target. */
export function selectChecks<T extends Pick<Check, 'name' | 'level' | 'requirements'>>(
  all: readonly T[],
  { level = 'survives', only }: Pick<Target, 'level' | 'only'>,
): T[] {
  const upTo = LEVELS.indexOf(level);
  return all.filter(
    (check) =>
      LEVELS.indexOf(check.level) <= upTo &&
      (only === undefined || isBelow(check.name, only) || check.requirements.some((id) => isBelow(id, only))),
  );
}

/** Runs checks against a target, one after the other but for those that run beside the others of their level. */
export async function runWith(
  all: { readonly checks: readonly Check[]; readonly watches: readonly Watch[] },
  target: Target,
  { onCheck, onWait }: RunObserver = {},
): Promise<ConformanceRun> {
  const { seed = 1, observeMs = 0, driver } = target;
  await using session = await openSession(target, onWait);
  const { clock, discovery, release, http } = session;
  const startedMs = clock.nowMs();
  const options = { seed, observeMs, driver, watches: all.watches };
  const results: CheckResult[] = [];
  const add = (found: readonly CheckResult[]): void => {
    for (const result of found) onCheck?.(result);
    results.push(...found);
  };
  const selected = selectChecks(all.checks, target);
  for (const level of LEVELS) {
    const ofLevel = selected.filter((check) => check.level === level);
    const beside = ofLevel.filter(({ runsBeside }) => runsBeside === true);
    const found = Promise.all(beside.map((check) => runCheck(check, session, options)));
    // A cancelled run throws before it is awaited.
    found.catch(() => {});
    for (const check of ofLevel.filter((check) => !beside.includes(check))) {
      session.signal.throwIfAborted();
      add(await runCheck(check, session, options));
    }
    for (const each of await found) add(each);
  }
  const verdicts = [...readRequirements(release).values()]
    .filter(({ party }) => party !== 'client')
    .map((requirement) => verdictOn(requirement, results));
  return {
    target: { url: target.url },
    release,
    implementation: discovery && {
      id: discovery.implementation.id,
      name: discovery.implementation.name,
      apiVersion: discovery.implementation.api_version,
    },
    seed,
    startedMs,
    durationMs: clock.nowMs() - startedMs,
    requests: http.count,
    results,
    verdicts,
  };
}
