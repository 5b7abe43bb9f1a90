import { type Head, isPositionExpired, type RecordSource } from 'rostack-core';
import type { LogUpdate } from './messages.ts';

const READ_CHANGES = 256;
/** How often a log is checked without a hint. Other processes trust a report for a while longer than this. */
export const LOOK_INTERVAL_MS = 500;

export interface LogReporterOptions {
  readonly resource: string;
  readonly source: RecordSource;
  readonly tell: (news: LogUpdate) => void;
}

/** Follows the log of one resource for all workers of a machine: reads it once, and reports what is new and where it ends. */
export class LogReporter implements AsyncDisposable {
  readonly #options: LogReporterOptions;
  readonly #running: Promise<void>;
  #seen: Head | undefined;
  #isClosed = false;
  #isHinted = false;
  #endPause: (() => void) | undefined;

  constructor(options: LogReporterOptions) {
    this.#options = options;
    const unwatch = options.source.watch(() => {
      this.#isHinted = true;
      this.#endPause?.();
    });
    this.#running = this.#run().finally(unwatch);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    this.#endPause?.();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#isClosed) {
      this.#isHinted = false;
      // Nothing is reported when reading fails: the others then read for themselves and report the fault.
      await this.#checkLog().catch((error: unknown) => {
        if (isPositionExpired(error)) this.#seen = undefined;
      });
      if (!this.#isHinted && !this.#isClosed) await this.#pause();
    }
  }

  async #checkLog(): Promise<void> {
    const { source } = this.#options;
    const fresh = await source.head();
    if (!continues(this.#seen, fresh)) {
      this.#report(fresh, [], fresh.tag);
      return;
    }
    let seen = this.#seen ?? fresh;
    do {
      const changes =
        seen.position < fresh.position ? await source.read(seen.position, READ_CHANGES, seen.tag) : [];
      const { position, tag } = changes.at(-1) ?? seen;
      const tagBefore = seen.tag;
      seen = { ...fresh, position, tag };
      this.#report(seen, changes, tagBefore);
    } while (seen.position < fresh.position && !this.#isClosed);
  }

  #report(head: Head, changes: LogUpdate['changes'], tagBefore: string): void {
    this.#seen = head;
    this.#options.tell({ resource: this.#options.resource, head, changes, tagBefore });
  }

  async #pause(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, LOOK_INTERVAL_MS);
    this.#endPause = resolve;
    await promise;
    clearTimeout(timer);
    this.#endPause = undefined;
  }
}

/** Whether a log may continue from where it was last seen. Reading its changes compares the history. */
function continues(seen: Head | undefined, fresh: Head): boolean {
  if (seen === undefined || seen.epoch !== fresh.epoch || fresh.position < seen.position) return false;
  return seen.position >= fresh.floor && (fresh.position > seen.position || fresh.tag === seen.tag);
}
