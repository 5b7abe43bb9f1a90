import type { ClientClock } from 'rostack-client';

interface Timer {
  readonly dueMs: number;
  readonly callback: () => void;
  handle: NodeJS.Timeout | undefined;
}

/** The machine's clock, for one client alone, that can jump ahead: timers that are due by then fire at once. */
export class JumpingClock implements ClientClock {
  readonly #timers = new Set<Timer>();
  #aheadMs = 0;

  wallMs(): number {
    return Date.now() + this.#aheadMs;
  }

  monotonicMs(): number {
    return performance.now() + this.#aheadMs;
  }

  after(delayMs: number, callback: () => void): () => void {
    const timer: Timer = { dueMs: this.monotonicMs() + Math.max(delayMs, 0), callback, handle: undefined };
    this.#timers.add(timer);
    this.#arm(timer);
    return () => {
      this.#timers.delete(timer);
      clearTimeout(timer.handle);
    };
  }

  jump(aheadMs: number): void {
    this.#aheadMs += aheadMs;
    for (const timer of this.#timers) this.#arm(timer);
  }

  #arm(timer: Timer): void {
    clearTimeout(timer.handle);
    timer.handle = setTimeout(
      () => {
        this.#timers.delete(timer);
        timer.callback();
      },
      Math.max(Math.ceil(timer.dueMs - this.monotonicMs()), 0),
    );
  }
}
