import type { Clock } from '../../options/clock.ts';

/** How much may be done before sockets, timers and live events get their turn. */
const TURN_BYTES = 65_536;
const TURN_STEPS = 512;

/** Counts what replays have done since they last yielded. */
export class ReplayTurn {
  readonly #clock: Clock;
  #bytes = 0;
  #steps = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isOver(): boolean {
    return this.#bytes >= TURN_BYTES || this.#steps >= TURN_STEPS;
  }

  /** @param steps changes that were examined, events that were delivered, feeds that were visited */
  count(steps: number, bytes = 0): void {
    this.#steps += steps;
    this.#bytes += bytes;
  }

  /** Yields to everything else if the turn is over. */
  async pass(): Promise<void> {
    if (!this.isOver) return;
    await this.#clock.nextTurn();
    this.#bytes = 0;
    this.#steps = 0;
  }
}
