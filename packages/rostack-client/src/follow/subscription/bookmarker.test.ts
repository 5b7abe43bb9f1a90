import { expect, test } from 'vitest';
import { clientLimits } from '../../connection/context/client-limits.ts';
import { type ClientClock, createPlatform } from '../../connection/platform/platform.ts';
import { HttpProblemError } from '../../http/error/errors.ts';
import { Bookmarker, type BookmarkerOptions } from './bookmarker.ts';

const AFTER_MS = 1_000;

/** A bookmarker on a clock that goes on when it is told; shares of its waits are drawn in the middle. */
class Marking {
  readonly bookmarker: Bookmarker;
  readonly safe: string[] = [];
  readonly checked: (readonly [cursor: string, bookmark: string])[] = [];
  taken = 0;
  cursor: string | undefined = 'c';
  bookmark: string | undefined = 'b';
  #nowMs = 0;
  #due: { readonly atMs: number; readonly callback: () => void } | undefined;

  constructor(options: Partial<BookmarkerOptions> = {}, bookmarkAfterMs = AFTER_MS) {
    const clock: ClientClock = {
      wallMs: () => this.#nowMs,
      monotonicMs: () => this.#nowMs,
      after: (delayMs, callback) => {
        const due = { atMs: this.#nowMs + delayMs, callback };
        this.#due = due;
        return () => {
          if (this.#due === due) this.#due = undefined;
        };
      },
    };
    const context = {
      bookmarkAfterMs,
      limits: clientLimits({ maxServerDelayMs: 10_000 }),
      platform: createPlatform({ clock, random: () => 0.5 }),
    };
    this.bookmarker = new Bookmarker(context, {
      take: async () => {
        this.taken += 1;
        return this.bookmark;
      },
      cursor: () => this.cursor,
      check: async (...given) => {
        this.checked.push(given);
        return true;
      },
      onSafe: (bookmark) => this.safe.push(bookmark),
      ...options,
    });
    this.bookmarker.start();
  }

  /** How long it waits now; undefined if it does not. */
  get waitMs(): number | undefined {
    return this.#due && this.#due.atMs - this.#nowMs;
  }

  /** Lets a part of the wait go by. */
  pass(durationMs: number): void {
    this.#nowMs += durationMs;
  }

  /** Lets the wait end, and what follows from it. */
  async wake(): Promise<void> {
    const due = this.#due;
    if (due === undefined) throw new Error('it does not wait');
    this.#due = undefined;
    this.#nowMs = due.atMs;
    due.callback();
    await new Promise<void>((resolve) => void setImmediate(resolve));
  }
}

const problem = (code: string, members: object = {}): HttpProblemError =>
  Object.assign(Object.create(HttpProblemError.prototype) as HttpProblemError, { code, ...members });

const failing = (fault: Error) => ({
  take: async () => {
    throw fault;
  },
});

test('a bookmark that is as good as the cursor takes its place, soon at first and then now and again', async () => {
  const marking = new Marking();
  expect(marking.waitMs).toBe(AFTER_MS / 2);
  await marking.wake();
  expect([marking.checked, marking.safe]).toEqual([[['c', 'b']], ['b']]);
  expect(marking.waitMs).toBe((AFTER_MS * 3) / 4);
});

test('a cursor that has moved while its bookmark was checked stays', async () => {
  const marking: Marking = new Marking({
    check: async () => {
      marking.cursor = 'of an event';
      return true;
    },
  });
  await marking.wake();
  expect(marking.safe).toEqual([]);
  expect(marking.waitMs).toBe((AFTER_MS * 3) / 4);
});

test('nothing is taken for who has stopped meanwhile, and nothing is waited for', async () => {
  const marking: Marking = new Marking({
    check: async () => {
      marking.bookmarker.stop();
      return true;
    },
  });
  await marking.wake();
  expect([marking.safe, marking.waitMs]).toEqual([[], undefined]);
});

test('a bookmark that is not safe is asked for again soon', async () => {
  const marking = new Marking({ check: async () => false });
  await marking.wake();
  expect(marking.safe).toEqual([]);
  expect(marking.waitMs).toBe(AFTER_MS * 0.1875);
});

test('without a cursor, and with the same one, nothing is checked', async () => {
  const marking = new Marking();
  marking.cursor = undefined;
  await marking.wake();
  expect(marking.taken).toBe(0);
  marking.cursor = 'b';
  await marking.wake();
  expect([marking.taken, marking.checked]).toEqual([1, []]);
});

test('a cursor that moves puts the next bookmark off', async () => {
  const marking = new Marking();
  await marking.wake();
  marking.pass(500);
  marking.bookmarker.noteMoved();
  await marking.wake();
  expect([marking.taken, marking.waitMs]).toEqual([1, 500]);
  await marking.wake();
  expect(marking.taken).toBe(2);
});

test('who may not read is not asked for often, and a server that asks for patience gets it, up to a limit', async () => {
  const denied = new Marking(failing(problem('permission-denied')));
  await denied.wake();
  expect(denied.waitMs).toBe((AFTER_MS * 3) / 4);
  const failed = new Marking(failing(problem('internal-error')));
  await failed.wake();
  expect(failed.waitMs).toBe(AFTER_MS * 0.1875);
  const busy = new Marking(failing(problem('service-unavailable', { retryAfterMs: 7_000 })));
  await busy.wake();
  expect(busy.waitMs).toBe(7_000);
  const endless = new Marking(failing(problem('service-unavailable', { retryAfterMs: 1e12 })));
  await endless.wake();
  expect(endless.waitMs).toBe(10_000);
});

test('none is asked for where there shall be none', () => {
  expect(new Marking({}, 0).waitMs).toBeUndefined();
});
