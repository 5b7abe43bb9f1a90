import { type Clock, type Instant, readClock } from '../options/clock.ts';

/** How long what can wait is held back. */
const LATER_MS = 200;

/** Something that has collected output and can write it at once. */
export interface Flushable {
  flush(at: Instant): void;
}

/**
 * Writes what many connections collected in one turn of the event loop, each in a single write, when the
 * running code has ended.
 */
export class WriteRound {
  readonly #clock: Clock;
  #waiting: Flushable[] = [];
  #later: Flushable[] = [];
  #afterwards: ((at: Instant) => void)[] = [];
  readonly #run = (): void => this.flush();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Adds a member once per round: it asks to be added again after its `flush`. */
  add(member: Flushable): void {
    if (this.#waiting.push(member) === 1) queueMicrotask(this.#run);
  }

  /** Adds a member to the next round that is held for those who can wait, so that what is collected until then is one write. */
  addLater(member: Flushable): void {
    if (this.#later.push(member) > 1) return;
    this.#clock.after(LATER_MS, () => {
      for (const each of this.#later) this.add(each);
      this.#later = [];
    });
  }

  /** Calls back once all that was added to this round is written. */
  whenWritten(callback: (at: Instant) => void): void {
    this.#afterwards.push(callback);
  }

  /** Writes now. */
  flush(): void {
    const members = this.#waiting;
    if (members.length === 0) return;
    this.#waiting = [];
    const at = readClock(this.#clock);
    for (const member of members) member.flush(at);
    const callbacks = this.#afterwards;
    if (callbacks.length === 0) return;
    this.#afterwards = [];
    const writtenAt = readClock(this.#clock);
    for (const callback of callbacks) callback(writtenAt);
  }
}
