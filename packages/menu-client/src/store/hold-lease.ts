import type { Clock } from '../http/clock.ts';
import type { GuardedStore } from './guarded-store.ts';

export interface LeaseHolder {
  readonly store: GuardedStore;
  readonly clock: Clock;
  /** Unique among all holders that share the store. */
  readonly holder: string;
}

/** How long others wait after a holder has died; a live one extends its lease three times in this time. */
const LEASE_TTL_MS = 15_000;

/** Runs with the lease held and extended; undefined at once if another holder has it. */
export async function withLease<T>(
  { store, clock, holder }: LeaseHolder,
  name: string,
  run: () => Promise<T>,
): Promise<{ readonly value: T } | undefined> {
  if (!(await store.acquireLease(name, holder, LEASE_TTL_MS))) return undefined;
  const done = new AbortController();
  const extending = extend();
  try {
    return { value: await run() };
  } finally {
    done.abort();
    await extending;
    await store.releaseLease(name, holder);
  }

  async function extend(): Promise<void> {
    for (;;) {
      await clock.sleep(LEASE_TTL_MS / 3, done.signal);
      if (done.signal.aborted) return;
      await store.acquireLease(name, holder, LEASE_TTL_MS);
    }
  }
}
