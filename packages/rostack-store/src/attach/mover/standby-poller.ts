import type { Attachment } from '../attachment/attachment.ts';
import type { Standing } from '../read/poll-standbys.ts';

/** A table that another process leads. */
export interface Standby {
  /** The attachment when the other leader was found. */
  readonly attachment: Attachment;
  /** Called at each poll while it still leads. @param oldestNoteMs age of the oldest note; undefined if none waits */
  readonly onLed: (oldestNoteMs: number | undefined) => void;
}

/** The state of tables, by the names of their resources. */
export type PollStandbys = (attachments: readonly Attachment[]) => Promise<ReadonlyMap<string, Standing>>;

interface Waiter extends Standby {
  readonly wake: () => void;
}

/** Polls all tables that other processes lead together, once per interval: a standby costs one query, not three for each table. */
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

  /** Resolves once the other process no longer leads, the table is detached, or the signal is aborted. */
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
    // If the database cannot answer, each runner meets the error itself.
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
