import { SnapshotRefusedError, SubscriptionError } from '../http/error/errors.ts';

/** How long a gateway may refuse the cursors of new snapshots. */
export interface RefusalLimits {
  /** Snapshots in a row. */
  readonly maxRefusedSnapshots: number;
  /** How long `cursor_unavailable` may last even after that many, in milliseconds. */
  readonly maxLagMs: number;
}

/** Counts the snapshots in a row whose cursor the gateway refused. */
export class SnapshotRefusals {
  readonly #limits: RefusalLimits;
  #count = 0;
  #sinceMs = 0;

  constructor(limits: RefusalLimits) {
    this.#limits = limits;
  }

  noteTaken(): void {
    this.#count = 0;
  }

  /** @throws SnapshotRefusedError when another snapshot would be pointless */
  noteRefused(error: unknown, nowMs: number): void {
    const { maxRefusedSnapshots, maxLagMs } = this.#limits;
    if (this.#count === 0) this.#sinceMs = nowMs;
    this.#count += 1;
    // A node that lags behind the one that served the snapshot refuses its cursor too, until it has caught up.
    const isLag = error instanceof SubscriptionError && error.code === 'cursor_unavailable';
    if (this.#count < maxRefusedSnapshots || (isLag && nowMs - this.#sinceMs < maxLagMs)) return;
    throw new SnapshotRefusedError(this.#count, error);
  }
}
