import { MAX_WAITED_MS } from '../../log/retention/max-waited.ts';
import type { NetChange } from '../row/net-change.ts';

/** Tells when changes occurred that a leader reads from the inbox. */
export class SeenInbox {
  readonly #nowMs: () => number;
  /** When the inbox was last read to its end: what is there later was committed later, however long its transaction took. */
  #emptyAtMs: number | undefined;
  #askedAtMs = 0;

  /** @param nowMs milliseconds since 1970 */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** The inbox is about to be read. */
  ask(): void {
    this.#askedAtMs = this.#nowMs();
  }

  /** A poll is about to look whether anything waits; call what it returns once nothing did. */
  poll(): () => void {
    const polledAtMs = this.#nowMs();
    return () => {
      this.#emptyAtMs = polledAtMs;
    };
  }

  /** What was read is written. @param isWhole whether it was all that the inbox had */
  settle(isWhole: boolean): void {
    if (isWhole) this.#emptyAtMs = this.#askedAtMs;
  }

  /** When a change of the last reading was committed, as far as is known, in ms since 1970; undefined if nothing is. */
  occurredAtMs({ waitedMs }: NetChange): number | undefined {
    if (waitedMs == null) return undefined;
    const nowMs = this.#nowMs();
    const earliestMs = Math.max(this.#emptyAtMs ?? 0, nowMs - MAX_WAITED_MS);
    return Math.min(nowMs, Math.max(earliestMs, Math.floor(this.#askedAtMs - waitedMs)));
  }
}
