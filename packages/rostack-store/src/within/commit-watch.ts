import { clearTimeout, setTimeout } from 'node:timers';
import type { Position, RecordSource } from 'rostack-core';

/** At most twice as late as the commit comes after the changes. */
const FIRST_WAIT_MS = 1;

interface Expectation {
  lowest: Position;
  highest: Position;
  waitMs: number;
  timer: NodeJS.Timeout;
}

/**
 * Looks for commits of transactions that are not the store's own, so that whoever watches hears of them sooner than by polling. A look at
 * the head takes no lock, whereas a notification sent within a transaction of PostgreSQL has all others that send one commit in turn.
 */
export class CommitWatch {
  readonly #sourceOf: (resource: string) => Pick<RecordSource, 'head'>;
  readonly #onMoved: (resources: readonly string[]) => void;
  /** From there on polling is as good. */
  readonly #lastWaitMs: number;
  readonly #expected = new Map<string, Expectation>();

  constructor(
    sourceOf: (resource: string) => Pick<RecordSource, 'head'>,
    onMoved: (resources: readonly string[]) => void,
    lastWaitMs: number,
  ) {
    this.#sourceOf = sourceOf;
    this.#onMoved = onMoved;
    this.#lastWaitMs = lastWaitMs;
  }

  /** The head of a resource is to come to a position, if the transaction is committed. */
  expect(resource: string, position: Position): void {
    const present = this.#expected.get(resource);
    clearTimeout(present?.timer);
    this.#expected.set(resource, {
      lowest: Math.min(position, present?.lowest ?? position),
      highest: position,
      waitMs: FIRST_WAIT_MS,
      timer: this.#lookAfter(resource, FIRST_WAIT_MS),
    });
  }

  close(): void {
    for (const { timer } of this.#expected.values()) clearTimeout(timer);
    this.#expected.clear();
  }

  #lookAfter(resource: string, waitMs: number): NodeJS.Timeout {
    return setTimeout(() => void this.#look(resource), waitMs).unref();
  }

  async #look(resource: string): Promise<void> {
    const expected = this.#expected.get(resource);
    const head = await this.#sourceOf(resource)
      .head()
      .catch(() => undefined);
    if (expected === undefined || this.#expected.get(resource) !== expected) return;
    const position = head?.position ?? 0;
    // Should others have come so far after the transaction was rolled back, the hint is one too many.
    if (position >= expected.lowest) this.#onMoved([resource]);
    expected.lowest = position + 1;
    expected.waitMs *= 2;
    if (position >= expected.highest || expected.waitMs > this.#lastWaitMs) this.#expected.delete(resource);
    else expected.timer = this.#lookAfter(resource, expected.waitMs);
  }
}
