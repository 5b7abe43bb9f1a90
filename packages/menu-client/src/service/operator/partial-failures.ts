import type { MenuErrorCode } from '../../domain/menu-error.ts';
import type { Clock } from '../../http/clock.ts';
import type { ReadSubject } from '../contract/menu-service.ts';

/** What is not asked for again within this time is wanted by nobody. */
const WANTED_MS = 15 * 60_000;

interface Failure {
  readonly what: ReadSubject;
  readonly reason: MenuErrorCode;
  /** When it first failed since it last worked. */
  readonly sinceMs: number;
  readonly triedAtMs: number;
}

/** Reads that answered, but not for all that was asked: a day without its lunch. Others that work do not hide them. */
export class PartialFailures {
  readonly #clock: Clock;
  /** By what was asked for, the one tried longest ago first. */
  readonly #failures = new Map<string, Failure>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @param place what was asked for, such as a restaurant's day @param reason undefined if it was read whole */
  note(what: ReadSubject, place: string, reason: MenuErrorCode | undefined): void {
    const key = `${what} ${place}`;
    const triedAtMs = this.#clock.nowMs();
    const before = this.#failures.get(key);
    this.#failures.delete(key);
    if (reason !== undefined)
      this.#failures.set(key, { what, reason, sinceMs: before?.sinceMs ?? triedAtMs, triedAtMs });
    this.#forgetUnwanted();
  }

  /** Of each subject the one that lasts longest. */
  bySubject(): ReadonlyMap<ReadSubject, Failure> {
    this.#forgetUnwanted();
    const found = new Map<ReadSubject, Failure>();
    for (const failure of this.#failures.values()) {
      const longest = found.get(failure.what);
      if (longest === undefined || failure.sinceMs < longest.sinceMs) found.set(failure.what, failure);
    }
    return found;
  }

  #forgetUnwanted(): void {
    for (const [key, { triedAtMs }] of this.#failures) {
      if (this.#clock.nowMs() - triedAtMs < WANTED_MS) return;
      this.#failures.delete(key);
    }
  }
}
