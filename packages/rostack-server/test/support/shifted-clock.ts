import { type Clock, SYSTEM_CLOCK } from '../../src/websocket/options/clock.ts';

/** The process's clocks, which a test can move forward; timers keep their pace. */
export class ShiftedClock implements Clock {
  #passedMs = 0;

  pass(ms: number): void {
    this.#passedMs += ms;
  }

  wallMs(): number {
    return SYSTEM_CLOCK.wallMs() + this.#passedMs;
  }

  monotonicMs(): number {
    return SYSTEM_CLOCK.monotonicMs() + this.#passedMs;
  }

  after(delayMs: number, callback: () => void): () => void {
    return SYSTEM_CLOCK.after(delayMs, callback);
  }

  nextTurn(): Promise<void> {
    return SYSTEM_CLOCK.nextTurn();
  }
}
