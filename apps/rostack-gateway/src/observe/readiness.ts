import { setTimeout as wait } from 'node:timers/promises';
import type { Store } from 'rostack-store';
import type { Running } from './running.ts';

export interface ReadinessLimits {
  /** How far a log may be ahead of the gateway. */
  readonly maxTailLagMs: number;
  /** For the store to answer. */
  readonly storeTimeoutMs: number;
}

export type CheckName = 'migrations' | 'store' | 'tail' | 'serving';
export type CheckResult = 'ok' | 'failed';

/** Whether a gateway should be sent requests, and why not. */
export interface Readiness {
  readonly isReady: boolean;
  readonly checks: Readonly<Record<CheckName, CheckResult>>;
}

/** Looks at a gateway: tables up to date, store reachable, logs followed closely enough, serving and not draining. */
export async function checkReadiness(running: Running, limits: ReadinessLimits): Promise<Readiness> {
  const { store, status, isDraining, resources } = running;
  const behindMs = Math.max(0, ...(status?.resources ?? []).map(({ behindMs = 0 }) => behindMs));
  const checks = {
    migrations: result(store !== undefined),
    store: result(store !== undefined && (await answers(store, resources, limits.storeTimeoutMs))),
    tail: result(behindMs <= limits.maxTailLagMs),
    serving: result(status !== undefined && !isDraining),
  };
  return { isReady: Object.values(checks).every((check) => check === 'ok'), checks };
}

const result = (isOk: boolean): CheckResult => (isOk ? 'ok' : 'failed');

async function answers(store: Store, [resource]: readonly string[], timeoutMs: number): Promise<boolean> {
  if (resource === undefined) return true;
  const ended = new AbortController();
  const late = wait(timeoutMs, false, { signal: ended.signal }).catch(() => false);
  const answered = store
    .source(resource)
    .head()
    .then(
      () => true,
      () => false,
    );
  try {
    return await Promise.race([answered, late]);
  } finally {
    ended.abort();
  }
}
