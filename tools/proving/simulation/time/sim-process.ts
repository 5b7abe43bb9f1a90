import type { ClientClock } from 'rostack-client';
import type { Clock } from 'rostack-server';
import type { Scheduler } from './scheduler.ts';

/** The time of every wall clock at the beginning, in ms since the epoch. */
const WALL_MS = Date.UTC(2026, 0, 1);

/**
 * One process of the simulated world: everything from outside, timers included, enters through it. While it is paused nothing
 * enters; it comes in afterwards, in order. Into a killed one nothing enters any more.
 */
export class SimProcess {
  readonly name: string;
  readonly #scheduler: Scheduler;
  readonly #skewMs: number;
  #pauses = 0;
  #waiting: (() => void)[] = [];
  #isKilled = false;

  constructor(scheduler: Scheduler, name: string, skewMs = 0) {
    this.#scheduler = scheduler;
    this.name = name;
    this.#skewMs = skewMs;
  }

  get isKilled(): boolean {
    return this.#isKilled;
  }

  get wallMs(): number {
    return WALL_MS + this.#skewMs + this.#scheduler.nowMs;
  }

  /** What the process's code is given as its clocks and timers. */
  readonly clock: Clock & ClientClock = {
    wallMs: () => this.wallMs,
    monotonicMs: () => this.#scheduler.nowMs,
    after: (delayMs, callback) => this.after(delayMs, callback),
    nextTurn: () => this.wait(0),
  };

  /** Calls back once inside the process. Returns how to call it off. */
  after(delayMs: number, callback: () => void): () => void {
    let isOff = false;
    const callOff = this.#scheduler.after(delayMs, () =>
      this.enter(() => {
        if (!isOff) callback();
      }),
    );
    return () => {
      isOff = true;
      callOff();
    };
  }

  wait(delayMs: number): Promise<void> {
    return new Promise((resolve) => this.after(delayMs, resolve));
  }

  /** Runs something inside the process: now, or when it goes on, or never. */
  enter(callback: () => void): void {
    if (this.#isKilled) return;
    if (this.#pauses === 0 && this.#waiting.length === 0) callback();
    else this.#waiting.push(callback);
  }

  pause(forMs: number): void {
    this.#pauses += 1;
    this.#scheduler.after(forMs, () => {
      this.#pauses -= 1;
      this.#goOn();
    });
  }

  kill(): void {
    this.#isKilled = true;
    this.#waiting = [];
  }

  /** What came in meanwhile, one thing per turn. */
  #goOn(): void {
    if (this.#pauses > 0 || this.#isKilled) return;
    this.#waiting.shift()?.();
    if (this.#waiting.length > 0) this.#scheduler.after(0, () => this.#goOn());
  }
}
