import { type Change, type Head, type Position, PositionExpiredError, type RecordSource } from 'rostack-core';

const READ_CHANGES = 256;

/** Why a tail had to start again at the head, with nothing known of what lies between. */
export type ResetReason = 'epoch' | 'behind_floor' | 'hole' | 'log_lost';

export interface LogTailOptions {
  readonly source: RecordSource;
  /** Shortest and longest pause between two looks when no hint comes. */
  readonly minPollMs: number;
  readonly maxPollMs: number;
  /** Called once, with the head that the first changes follow. */
  readonly onStart: (head: Head) => void;
  /** Takes new changes, dense and ascending; the tail waits for it. */
  readonly onChanges: (changes: readonly Change[]) => Promise<void>;
  readonly onReset: (reason: ResetReason, head: Head) => void;
  readonly onFault: (error: unknown) => void;
}

/**
 * Follows one log from its head on. Hints make it look at once; without any it looks every `minPollMs` to
 * `maxPollMs`, sooner after a look that found something no hint had told of.
 */
export class LogTail implements AsyncDisposable {
  readonly #options: LogTailOptions;
  #starting: Promise<void> | undefined;
  #running: Promise<void> | undefined;
  #unwatch: (() => void) | undefined;
  #isClosed = false;
  #isHinted = false;
  #headSeenAtMs = 0;
  #endPause: (() => void) | undefined;
  #atHeadAtMs: number | undefined;

  constructor(options: LogTailOptions) {
    this.#options = options;
  }

  /**
   * Starts at the head if it has not started.
   * @throws SourceUnavailableError when the source cannot be reached; call again later
   */
  async start(): Promise<void> {
    if (this.#running !== undefined) return;
    this.#starting ??= this.#begin().finally(() => {
      this.#starting = undefined;
    });
    await this.#starting;
  }

  /** Time since the tail last stood at the head, in ms; undefined before it starts. */
  get behindMs(): number | undefined {
    return this.#atHeadAtMs === undefined ? undefined : performance.now() - this.#atHeadAtMs;
  }

  /** Compares the log's history with what was seen of it, soon. */
  doubt(): void {
    this.#headSeenAtMs = Number.NEGATIVE_INFINITY;
    this.wake();
  }

  /** Looks for changes, soon. */
  wake(): void {
    this.#isHinted = true;
    this.#endPause?.();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    this.#unwatch?.();
    this.#endPause?.();
    await this.#running;
  }

  async #begin(): Promise<void> {
    const head = await this.#options.source.head();
    if (this.#isClosed) return;
    this.#options.onStart(head);
    this.#unwatch = this.#options.source.watch(() => this.wake());
    this.#running = this.#run(head);
  }

  async #run(start: Head): Promise<void> {
    const { minPollMs, maxPollMs } = this.#options;
    let head = start;
    let pollMs = minPollMs;
    this.#headSeenAtMs = performance.now();
    this.#atHeadAtMs = this.#headSeenAtMs;
    while (!this.#isClosed) {
      const wasHinted = this.#isHinted;
      this.#isHinted = false;
      try {
        if (!wasHinted || performance.now() - this.#headSeenAtMs >= minPollMs) {
          head = await this.#look(head);
          this.#headSeenAtMs = performance.now();
        }
        const before = head.position;
        head = await this.#drain(head);
        this.#atHeadAtMs = performance.now();
        pollMs = head.position > before && !wasHinted ? minPollMs : Math.min(maxPollMs, pollMs * 2);
      } catch (error) {
        this.#options.onFault(error);
        if (error instanceof PositionExpiredError) head = await this.#restart('behind_floor', head);
        pollMs = maxPollMs;
      }
      if (!this.#isHinted && !this.#isClosed) await this.#pause(pollMs);
    }
  }

  /** Compares the log with what was seen of it: another history, or a shorter one, makes a new start. */
  async #look(seen: Head): Promise<Head> {
    const fresh = await this.#options.source.head();
    if (fresh.epoch !== seen.epoch) return this.#reset('epoch', fresh);
    if (fresh.position < seen.position) return this.#reset('log_lost', fresh);
    return { ...fresh, position: seen.position };
  }

  async #drain(head: Head): Promise<Head> {
    let position: Position = head.position;
    while (!this.#isClosed) {
      const changes = await this.#options.source.read(position, READ_CHANGES);
      if (changes.length === 0) break;
      if (!isDense(changes, position)) return this.#restart('hole', { ...head, position });
      await this.#options.onChanges(changes);
      position += changes.length;
      if (changes.length < READ_CHANGES) break;
    }
    return { ...head, position };
  }

  async #restart(reason: ResetReason, seen: Head): Promise<Head> {
    try {
      return this.#reset(reason, await this.#options.source.head());
    } catch (error) {
      this.#options.onFault(error);
      return seen;
    }
  }

  #reset(reason: ResetReason, head: Head): Head {
    this.#options.onReset(reason, head);
    return head;
  }

  async #pause(pauseMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pauseMs);
      this.#endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#endPause = undefined;
  }
}

function isDense(changes: readonly Change[], after: Position): boolean {
  return changes.every((change, index) => change.position === after + 1 + index);
}
