import type { Database, InboxWatch } from '../../drivers/database.ts';
import type { AttachedResource } from '../batch/attached-resource.ts';
import type { TableReader } from '../driver/table-reader.ts';
import type { Polled } from '../read/polled.ts';

/** How often a poll also checks that the tables are as they were attached. */
const CHECK_MS = 1_000;
/** The same if every write of others is reported: only this process itself could have changed something unnoticed. */
const HEARD_CHECK_MS = 10_000;
/** The second pause of a leader whose first poll comes at once. */
const MIN_PAUSE_MS = 1;
/** A leader with pauses this long sleeps, if writers can wake it; then it is polled with each check only. */
const SLEEPY_MS = 200;
/**
 * Delay of an extra poll of a leader that has just fallen asleep: a writer may have been committing. Another one follows after a whole
 * pause.
 */
const LAST_LOOK_MS = 10;
const LAST_LOOKS = 2;

/** An idle leader. */
export interface IdleLeader {
  readonly resource: AttachedResource;
  /** When to poll for the first time, 0 for at once; from then on each pause is twice as long, up to the poller's interval. */
  readonly firstPauseMs: number;
  /** Called before each poll that may find that nothing waits; what it returns is called once it has. */
  readonly beforePoll: () => () => void;
}

interface Waiter extends IdleLeader {
  readonly wake: () => void;
  pauseMs: number;
  dueMs: number;
  isAsleep: boolean;
  /** Scheduled polls left before it rests; polls together with other leaders do not count. */
  lastLooks: number;
}

/**
 * Polls the inboxes of all idle leaders of one process together, so that a table that nobody changes costs no transaction of its own.
 * Leaders whose next poll is near are polled along with those that are due. A leader that was idle for long sleeps while notes are heard,
 * until the next writer wakes it: it costs only a poll now and then, and a change need not wait for it.
 */
export class InboxPoller {
  readonly #reader: TableReader;
  readonly #intervalMs: number;
  readonly #waiters = new Set<Waiter>();
  #callOff = (): void => {};
  #polling: Promise<void> | undefined;
  #falling: Promise<void> | undefined;
  #checkedMs = 0;
  readonly #watchInboxes: Database['watchInboxes'];
  #watch: InboxWatch | undefined;
  #canSleep = true;

  constructor(reader: TableReader, intervalMs: number, watchInboxes: Database['watchInboxes']) {
    this.#reader = reader;
    this.#intervalMs = intervalMs;
    this.#watchInboxes = watchInboxes;
  }

  /** Waits for polls under way; waiting leaders are not woken. */
  async close(): Promise<void> {
    this.#watch?.stop();
    this.#watch = undefined;
    await Promise.all([this.#polling, this.#falling]);
  }

  /** Resolves once there may be something to do for a leader, or the signal is aborted. */
  wait(leader: IdleLeader, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const pauseMs = Math.min(leader.firstPauseMs, this.#intervalMs);
      const wake = () => {
        this.#waiters.delete(waiter);
        signal.removeEventListener('abort', wake);
        if (this.#waiters.size === 0) this.#callOff();
        resolve();
      };
      const waiter: Waiter = {
        ...leader,
        wake,
        pauseMs,
        dueMs: performance.now() + pauseMs,
        isAsleep: false,
        lastLooks: 0,
      };
      signal.addEventListener('abort', wake);
      this.#waiters.add(waiter);
      this.#schedule();
    });
  }

  /** A note was written for one leader, or perhaps for any (undefined). */
  #note(attachment: number | undefined): void {
    for (const waiter of this.#waiters) {
      if (attachment === undefined) waiter.dueMs = 0;
      else if (waiter.resource.attachment.number === attachment) waiter.wake();
    }
    this.#schedule();
  }

  #schedule(): void {
    this.#callOff();
    if (this.#polling !== undefined || this.#waiters.size === 0) return;
    const dueMs = Math.min(...[...this.#waiters].map((waiter) => waiter.dueMs));
    const pauseMs = dueMs - performance.now();
    const poll = () => {
      this.#polling = this.#poll().finally(() => {
        this.#polling = undefined;
        this.#schedule();
      });
    };
    // A timer takes at least a millisecond.
    if (pauseMs <= 0) {
      const next = setImmediate(poll);
      this.#callOff = () => clearImmediate(next);
    } else {
      const timer = setTimeout(poll, pauseMs);
      this.#callOff = () => clearTimeout(timer);
    }
  }

  async #poll(): Promise<void> {
    const nowMs = performance.now();
    const checkMs = this.#watch?.tellsAll === true ? HEARD_CHECK_MS : CHECK_MS;
    const isCheck = nowMs - this.#checkedMs >= checkMs;
    const polled = [...this.#waiters].filter(
      ({ dueMs, pauseMs, lastLooks }) => isCheck || dueMs - nowMs <= (lastLooks > 0 ? 0 : pauseMs / 2),
    );
    if (isCheck) this.#checkedMs = nowMs;
    for (const waiter of polled) {
      if (waiter.dueMs > nowMs && waiter.lastLooks > 0) continue;
      waiter.lastLooks = Math.max(0, waiter.lastLooks - 1);
      waiter.dueMs = Number.POSITIVE_INFINITY;
    }
    const found = await this.#find(polled, isCheck);
    const polledMs = performance.now();
    for (const waiter of polled) {
      if (found?.busy.has(waiter.resource.attachment.name) !== false) waiter.wake();
      if (found?.roused.has(waiter.resource.attachment.name) === true) waiter.isAsleep = false;
      waiter.pauseMs = Math.min(Math.max(waiter.pauseMs * 2, MIN_PAUSE_MS), this.#intervalMs);
      const rests = waiter.isAsleep && waiter.lastLooks === 0 && this.#watch?.isHeard === true;
      const pauseMs = rests ? Math.max(checkMs, waiter.pauseMs) : waiter.pauseMs;
      // Unless a note has come in the meantime, or an extra poll is due.
      waiter.dueMs = Math.min(waiter.dueMs, polledMs + pauseMs);
    }
    this.#falling ??= this.#fallAsleep().finally(() => {
      this.#falling = undefined;
    });
  }

  /** Puts leaders that have been idle for long to sleep, if they can be woken; the others are polled meanwhile. */
  async #fallAsleep(): Promise<void> {
    const sleepy = [...this.#waiters].filter(({ isAsleep, pauseMs }) => !isAsleep && pauseMs >= SLEEPY_MS);
    if (sleepy.length === 0 || !this.#canSleep) return;
    // A mover that never rests needs no listening connection.
    this.#watch ??= this.#watchInboxes((attachment) => this.#note(attachment));
    if (!this.#watch.isHeard) return;
    try {
      this.#canSleep = await this.#reader.fallAsleep(sleepy.map(({ resource }) => resource));
    } catch {
      // The next poll reports the error.
      return;
    }
    if (!this.#canSleep) return;
    const dueMs = performance.now() + LAST_LOOK_MS;
    for (const waiter of sleepy) Object.assign(waiter, { isAsleep: true, lastLooks: LAST_LOOKS, dueMs });
    this.#schedule();
  }

  /** Undefined if the database cannot answer: each leader then meets the error itself. */
  async #find(polled: readonly Waiter[], isCheck: boolean): Promise<Polled | undefined> {
    const found = polled.map((waiter) => ({ waiter, isEmpty: waiter.beforePoll() }));
    try {
      const result = await this.#reader.pollInboxes(
        polled.map(({ resource }) => resource),
        isCheck,
      );
      for (const { waiter, isEmpty } of found)
        if (!result.busy.has(waiter.resource.attachment.name)) isEmpty();
      return result;
    } catch {
      return undefined;
    }
  }
}
