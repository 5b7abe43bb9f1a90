import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Database, Step, Work } from '../drivers/database.ts';
import type { Attachment } from './attachment.ts';
import { LeaderLease } from './leader-lease.ts';

const LEASE_MS = 3_000;
const attachment = { schema: 'main', name: 'boats', term: 7 } as Attachment;

interface Asked {
  readonly leaseMs: unknown;
  readonly term: unknown;
  answer(): void;
  fail(): void;
}

/** A database whose writes end when the test says so. */
function slowDatabase() {
  const asked: Asked[] = [];
  const write = (work: () => Work<unknown>) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const step = work().next().value as Step & { readonly parameters: readonly unknown[] };
    const [, term, leaseMs] = step.parameters;
    asked.push({ leaseMs, term, answer: resolve, fail: () => reject(new Error('no database')) });
    return promise;
  };
  return { asked, database: { dialect: { name: 'sqlite' }, write } as unknown as Database };
}

const asksFor = (asked: readonly Asked[]) => asked.map(({ leaseMs }) => leaseMs);

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('a lease is renewed after a third of its time, one renewal after the other', async () => {
  const { asked, database } = slowDatabase();
  const lease = new LeaderLease(database, attachment, LEASE_MS);
  await vi.advanceTimersByTimeAsync(LEASE_MS / 3 - 1);
  expect(asked).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked).toMatchObject([{ leaseMs: LEASE_MS, term: 7 }]);
  await vi.advanceTimersByTimeAsync(LEASE_MS);
  expect(asksFor(asked)).toEqual([LEASE_MS]);
  // A renewal that fails is made up for by the next one.
  asked[0]?.fail();
  await vi.advanceTimersByTimeAsync(LEASE_MS / 3);
  expect(asksFor(asked)).toEqual([LEASE_MS, LEASE_MS]);
  asked[1]?.answer();
  const closing = lease[Symbol.asyncDispose]();
  await vi.advanceTimersByTimeAsync(0);
  asked[2]?.answer();
  await closing;
});

test('its end is written after the renewal that is under way, which would take it back; then no timer is left', async () => {
  const { asked, database } = slowDatabase();
  const lease = new LeaderLease(database, attachment, LEASE_MS);
  await vi.advanceTimersByTimeAsync(LEASE_MS / 3);
  const closing = lease[Symbol.asyncDispose]();
  await vi.advanceTimersByTimeAsync(LEASE_MS);
  expect(asksFor(asked)).toEqual([LEASE_MS]);
  asked[0]?.answer();
  await vi.advanceTimersByTimeAsync(0);
  expect(asksFor(asked)).toEqual([LEASE_MS, 0]);
  asked[1]?.answer();
  await closing;
  expect(vi.getTimerCount()).toBe(0);
});
