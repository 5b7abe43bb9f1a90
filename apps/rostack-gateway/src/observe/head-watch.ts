import type { Position } from 'rostack-core';

interface Ahead {
  readonly head: Position;
  readonly sinceMs: number;
}

/** Measures from outside how long a gateway has not taken what its logs hold, whatever it thinks of itself. */
export class HeadWatch {
  readonly #ahead = new Map<string, Ahead>();

  /**
   * How long the gateway has stood before a position that was seen at the head, in ms.
   * @param head undefined where it cannot be read now
   */
  lagMs(resource: string, position: Position, head: Position | undefined): number {
    const nowMs = performance.now();
    const known = this.#ahead.get(resource);
    // A head that went back belongs to another history: what was seen of the other one says nothing.
    const isReached = known !== undefined && (position >= known.head || (head ?? known.head) < known.head);
    if (isReached) this.#ahead.delete(resource);
    if (known !== undefined && !isReached) return nowMs - known.sinceMs;
    if (head !== undefined && head > position) this.#ahead.set(resource, { head, sinceMs: nowMs });
    return 0;
  }
}
