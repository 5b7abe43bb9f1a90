import type { AttachedResource } from '../attached-resource.ts';
import type { TableReader } from '../table-reader.ts';

/** How often it is also checked whether the tables are as they were attached. */
const CHECK_MS = 1_000;

/** An idle leader. */
export interface IdleLeader {
  readonly resource: AttachedResource;
  /** When to poll for the first time; from then on each pause is twice as long, up to the poller's interval. */
  readonly firstPauseMs: number;
  /** Called before each poll that may find that nothing waits; what it returns is called once it has. */
  readonly beforePoll: () => () => void;
}

interface Waiter extends IdleLeader {
  readonly wake: () => void;
  pauseMs: number;
  dueMs: number;
}

/**
 * Polls the inboxes of all idle leaders of one process together: a table that nobody changes costs no transaction of its own. Leaders whose
 * next poll is near are polled along with those that are due.
 */
export class InboxPoller {
  readonly #reader: TableReader;
  readonly #intervalMs: number;
  readonly #waiters = new Set<Waiter>();
  #timer: NodeJS.Timeout | undefined;
  #isPolling = false;
  #checkedMs = 0;

  constructor(reader: TableReader, intervalMs: number) {
    this.#reader = reader;
    this.#intervalMs = intervalMs;
  }

  /** Resolves once there may be something to do for a leader, or the signal is aborted. */
  wait(leader: IdleLeader, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const pauseMs = Math.min(leader.firstPauseMs, this.#intervalMs);
      const wake = () => {
        this.#waiters.delete(waiter);
        signal.removeEventListener('abort', wake);
        if (this.#waiters.size === 0) clearTimeout(this.#timer);
        resolve();
      };
      const waiter: Waiter = { ...leader, wake, pauseMs, dueMs: performance.now() + pauseMs };
      signal.addEventListener('abort', wake);
      this.#waiters.add(waiter);
      this.#schedule();
    });
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#isPolling || this.#waiters.size === 0) return;
    const dueMs = Math.min(...[...this.#waiters].map((waiter) => waiter.dueMs));
    this.#timer = setTimeout(() => void this.#poll(), Math.max(0, dueMs - performance.now()));
  }

  async #poll(): Promise<void> {
    const nowMs = performance.now();
    const isCheck = nowMs - this.#checkedMs >= CHECK_MS;
    const polled = [...this.#waiters].filter(({ dueMs, pauseMs }) => isCheck || dueMs - nowMs <= pauseMs / 2);
    if (isCheck) this.#checkedMs = nowMs;
    this.#isPolling = true;
    const found = await this.#find(polled, isCheck);
    this.#isPolling = false;
    const polledMs = performance.now();
    for (const waiter of polled) {
      if (found?.has(waiter.resource.attachment.name) !== false) waiter.wake();
      waiter.pauseMs = Math.min(waiter.pauseMs * 2, this.#intervalMs);
      waiter.dueMs = polledMs + waiter.pauseMs;
    }
    this.#schedule();
  }

  /** The names of those that have something to do; undefined if the database cannot say: each finds out what is wrong by itself. */
  async #find(polled: readonly Waiter[], isCheck: boolean): Promise<ReadonlySet<string> | undefined> {
    const found = polled.map((waiter) => ({ waiter, isEmpty: waiter.beforePoll() }));
    try {
      const names = await this.#reader.pollInboxes(
        polled.map(({ resource }) => resource),
        isCheck,
      );
      for (const { waiter, isEmpty } of found) if (!names.has(waiter.resource.attachment.name)) isEmpty();
      return names;
    } catch {
      return undefined;
    }
  }
}
