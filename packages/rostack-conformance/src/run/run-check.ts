import type { AnyDiscoveryDocument } from 'rostack-core';
import { SeededRandom } from 'rostack-core/testing';
import { KitError } from '../base/kit-error.ts';
import type { Check, Watch } from '../check/check.ts';
import type { CheckContext } from '../check/check-context.ts';
import type { Driver } from '../check/driver.ts';
import { type Finding, Findings } from '../check/findings.ts';
import { missingNeed } from '../check/need.ts';
import type { Exchange } from '../probe/http/exchange.ts';
import type { Session } from './session.ts';

/** What one check has found. */
export interface CheckResult {
  /** Which check it is. */
  readonly check: Pick<Check, 'name' | 'level' | 'requirements'>;
  /** What it says about its requirements. */
  readonly findings: readonly Finding[];
  /** Why the check was skipped. */
  readonly skipped?: string | undefined;
  /** What went wrong with the kit itself. */
  readonly error?: Error | undefined;
  /** Milliseconds that it took. */
  readonly durationMs: number;
  /** HTTP requests that it sent. */
  readonly requests: number;
}

export interface RunOptions {
  readonly seed: number;
  readonly observeMs: number;
  readonly driver?: Driver | undefined;
  readonly watches: readonly Watch[];
}

const INVALID = 'the discovery document is invalid';
const NO_ANSWER = 'err.http.every-failure';

/** Runs one check, while the watches look at its exchanges; what they find comes after the result of the check. */
export async function runCheck(check: Check, session: Session, options: RunOptions): Promise<CheckResult[]> {
  const { clock, http, tokens, discovery } = session;
  const startedMs = clock.nowMs();
  const before = http.count;
  const findings = new Findings(check.requirements);
  // One that runs beside others sends none, and must not count or judge theirs.
  const isBeside = check.runsBeside === true;
  const measured = () => ({
    durationMs: clock.nowMs() - startedMs,
    requests: isBeside ? 0 : http.count - before,
  });
  const skipped =
    discovery === undefined
      ? check.withoutDiscovery === true
        ? undefined
        : INVALID
      : missingNeed(check.needs, { discovery, tokens, driver: options.driver });
  if (skipped !== undefined) return [{ check, findings: [], skipped, ...measured() }];
  const watched = options.watches.map((watch) => ({ watch, findings: new Findings(watch.requirements) }));
  const contextOf = (found: Findings): CheckContext => ({
    ...session,
    get discovery(): AnyDiscoveryDocument {
      if (discovery === undefined) throw new KitError('no_discovery', INVALID);
      return discovery;
    },
    findings: found,
    random: new SeededRandom(seedOf(check.name, options.seed)),
    observeMs: options.observeMs,
    driver: options.driver,
  });
  const observe = (exchange: Exchange) => {
    for (const { watch, findings } of watched) watch.watch(exchange, contextOf(findings));
  };
  if (discovery !== undefined && check.withoutWatches !== true && !isBeside) http.observers.add(observe);
  let error: Error | undefined;
  try {
    await check.run(contextOf(findings));
  } catch (cause) {
    error = cause instanceof Error ? cause : new Error(String(cause));
  } finally {
    http.observers.delete(observe);
  }
  const isTargets = error instanceof KitError && error.code === 'unreachable';
  const results = watched.map(({ watch, findings }) => {
    if (isTargets && watch.requirements.includes(NO_ANSWER)) {
      findings.fail(NO_ANSWER, { expected: 'The target answers every request.', got: error?.message ?? '' });
    }
    return { check: watch, findings: findings.all, durationMs: 0, requests: 0 };
  });
  return [
    { check, findings: findings.all, ...(error !== undefined && !isTargets && { error }), ...measured() },
    ...results,
  ];
}

/** Each check has its own random numbers, so that it does the same no matter which others run. */
const seedOf = (name: string, seed: number): number =>
  Array.from(name).reduce((mixed, letter) => (Math.imul(mixed, 31) + (letter.codePointAt(0) ?? 0)) | 0, seed);
