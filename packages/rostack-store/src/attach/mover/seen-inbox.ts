import { MAX_WAITED_MS } from '../../log/retention/max-waited.ts';
import type { NetChange } from '../row/net-change.ts';

/** Tracks when the changes that a leader reads from the inbox were committed. */
export class SeenInbox {
  readonly #nowMs: () => number;
  /** When the inbox was last read to its end: later notes were committed later, however long their transactions took. */
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

  /** A poll is about to check for notes; call the returned function if it finds none. */
  poll(): () => void {
    const polledAtMs = this.#nowMs();
    return () => {
      this.#emptyAtMs = polledAtMs;
    };
  }

  /** The changes read are written. @param isWhole whether they were all of the inbox */
  settle(isWhole: boolean): void {
    if (isWhole) this.#emptyAtMs = this.#askedAtMs;
  }

  /** When a change of the last read was committed, as far as is known, in ms since 1970; otherwise undefined. */
  occurredAtMs({ waitedMs }: NetChange): number | undefined {
    if (waitedMs == null) return undefined;
    const nowMs = this.#nowMs();
    const earliestMs = Math.max(this.#emptyAtMs ?? 0, nowMs - MAX_WAITED_MS);
    return Math.min(nowMs, Math.max(earliestMs, Math.floor(this.#askedAtMs - waitedMs)));
  }
}
