import { clearTimeout, setTimeout } from 'node:timers';
import type { Position, RecordSource } from 'rostack-core';

/** Delays double, so a commit is noticed after at most twice the time that it took. */
const FIRST_WAIT_MS = 1;

interface Expectation {
  lowest: Position;
  highest: Position;
  waitMs: number;
  timer: NodeJS.Timeout;
}

/**
 * Checks for commits of applications' transactions, so that watchers notice them sooner than by polling. Reading the head takes no lock,
 * whereas a PostgreSQL notification sent within a transaction makes all transactions that send one commit one by one.
 */
export class CommitWatch {
  readonly #sourceOf: (resource: string) => Pick<RecordSource, 'head'>;
  readonly #onMoved: (resource: string) => void;
  /** After longer delays polling is just as good. */
  readonly #lastWaitMs: number;
  readonly #expected = new Map<string, Expectation>();

  constructor(
    sourceOf: (resource: string) => Pick<RecordSource, 'head'>,
    onMoved: (resource: string) => void,
    lastWaitMs: number,
  ) {
    this.#sourceOf = sourceOf;
    this.#onMoved = onMoved;
    this.#lastWaitMs = lastWaitMs;
  }

  /** Starts looking for a resource's head to reach a position, which it will if the transaction is committed. */
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
    return setTimeout(() => void this.#check(resource), waitMs).unref();
  }

  async #check(resource: string): Promise<void> {
    const expected = this.#expected.get(resource);
    const head = await this.#sourceOf(resource)
      .head()
      .catch(() => undefined);
    if (expected === undefined || this.#expected.get(resource) !== expected) return;
    const position = head?.position ?? 0;
    // If the transaction was rolled back and others have reached the position, the hint is merely superfluous.
    if (position >= expected.lowest) this.#onMoved(resource);
    expected.lowest = position + 1;
    expected.waitMs *= 2;
    if (position >= expected.highest || expected.waitMs > this.#lastWaitMs) this.#expected.delete(resource);
    else expected.timer = this.#lookAfter(resource, expected.waitMs);
  }
}
