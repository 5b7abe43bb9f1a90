import type { Lease, LeaseRequest, ReturnedLease } from 'rostack-server';

interface Window {
  readonly number: number;
  readonly endMs: number;
  used: number;
}

/** How often expired windows are dropped. */
const SWEEP_MS = 10_000;

/** Counts rates for the workers of a machine, in memory, as `store.rates` does for gateways over one PostgreSQL. */
export class RateCounters {
  readonly #windows = new Map<string, Window>();
  #lastNumber = 0;
  #sweptAtMs = 0;

  /** Leases the points asked for, or as many as are left. */
  lease(requests: readonly LeaseRequest[]): readonly Lease[] {
    const nowMs = performance.now();
    this.#sweep(nowMs);
    return requests.map(({ scope, key, budget, points: asked, spent }) => {
      const name = `${scope} ${key}`;
      let window = this.#windows.get(name);
      if (window === undefined || window.endMs <= nowMs) {
        this.#lastNumber += 1;
        window = { number: this.#lastNumber, endMs: nowMs + budget.windowMs, used: 0 };
        this.#windows.set(name, window);
      }
      const points = Math.max(Math.min(asked, budget.points - window.used - spent), 0);
      window.used += spent + points;
      return { points, window: window.number, remainingMs: window.endMs - nowMs };
    });
  }

  /** Returns points to their windows; expired windows are ignored. */
  giveBack(leases: readonly ReturnedLease[]): void {
    for (const { scope, key, points, window: number } of leases) {
      const window = this.#windows.get(`${scope} ${key}`);
      if (window?.number === number) window.used -= points;
    }
  }

  #sweep(nowMs: number): void {
    if (nowMs - this.#sweptAtMs < SWEEP_MS) return;
    this.#sweptAtMs = nowMs;
    for (const [name, { endMs }] of this.#windows) if (endMs <= nowMs) this.#windows.delete(name);
  }
}
