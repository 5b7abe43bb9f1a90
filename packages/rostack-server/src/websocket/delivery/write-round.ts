import { type Clock, type Instant, readClock } from '../options/clock.ts';

/** How long output that can wait is held back. */
const LATER_MS = 200;

/** Something that has collected output and can write it. */
export interface Flushable {
  flush(at: Instant): void;
}

/** After the current code has run, writes what many connections have collected in one turn of the event loop, each in a single write. */
export class WriteRound implements Disposable {
  readonly #clock: Clock;
  #waiting: Flushable[] = [];
  #later: Flushable[] = [];
  #callOffLater = (): void => {};
  #afterwards: ((at: Instant) => void)[] = [];
  readonly #run = (): void => this.flush();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Adds a member to this round; after its `flush` it has to be added again. Add it only once per round. */
  add(member: Flushable): void {
    if (this.#waiting.push(member) === 1) queueMicrotask(this.#run);
  }

  /** Adds a member to the next delayed round, so that everything it collects until then is one write. */
  addLater(member: Flushable): void {
    if (this.#later.push(member) > 1) return;
    this.#callOffLater = this.#clock.after(LATER_MS, () => {
      for (const each of this.#later) this.add(each);
      this.#later = [];
    });
  }

  /** Called when no member has anything to write any more. */
  [Symbol.dispose](): void {
    this.#callOffLater();
    this.#later = [];
  }

  /** Calls back once everything in this round has been written. */
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
