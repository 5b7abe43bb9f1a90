import type { Attachment } from '../attachment/attachment.ts';
import type { Standing } from '../read/poll-standbys.ts';

/** A table that another process leads. */
export interface Standby {
  /** As it was when that was found. */
  readonly attachment: Attachment;
  /** Called each time that this is still so. @param oldestNoteMs how long ago the oldest note was made; undefined if none waits */
  readonly onLed: (oldestNoteMs: number | undefined) => void;
}

/** How tables stand, by the names of their resources. */
export type PollStandbys = (attachments: readonly Attachment[]) => Promise<ReadonlyMap<string, Standing>>;

interface Waiter extends Standby {
  readonly wake: () => void;
}

/**
 * Asks for all tables that other processes lead together, one interval after the other: a standby costs a query, not three for each table.
 */
export class StandbyPoller {
  readonly #pollStandbys: PollStandbys;
  readonly #intervalMs: number;
  readonly #waiters = new Set<Waiter>();
  #timer: NodeJS.Timeout | undefined;
  #isPolling = false;

  constructor(pollStandbys: PollStandbys, intervalMs: number) {
    this.#pollStandbys = pollStandbys;
    this.#intervalMs = intervalMs;
  }

  /** Resolves once nobody leads any more or somebody else does, the table is detached, or the signal is aborted. */
  wait(standby: Standby, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        this.#waiters.delete(waiter);
        signal.removeEventListener('abort', wake);
        if (this.#waiters.size === 0) this.#stop();
        resolve();
      };
      const waiter: Waiter = { ...standby, wake };
      signal.addEventListener('abort', wake);
      this.#waiters.add(waiter);
      this.#schedule();
    });
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #schedule(): void {
    if (this.#isPolling || this.#waiters.size === 0) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#poll();
    }, this.#intervalMs);
  }

  async #poll(): Promise<void> {
    const polled = [...this.#waiters];
    this.#isPolling = true;
    // If the database cannot say, each finds out what is wrong by itself.
    const found = await this.#pollStandbys(polled.map(({ attachment }) => attachment)).catch(() => undefined);
    this.#isPolling = false;
    for (const waiter of polled) {
      const { attachment, onLed, wake } = waiter;
      if (!this.#waiters.has(waiter)) continue;
      const standing = found?.get(attachment.name);
      if (standing?.isLed === true && standing.term === attachment.term)
        onLed(standing.oldestNoteMs ?? undefined);
      else wake();
    }
    this.#schedule();
  }
}
