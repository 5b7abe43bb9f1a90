import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Database, Step, Work } from '../../drivers/database.ts';
import { sqliteDialect } from '../../drivers/sqlite/dialect/dialect.ts';
import type { Attachment } from './attachment.ts';
import { LeaderLeases } from './leader-lease.ts';

const LEASE_MS = 3_000;
const attachment = { schema: 'main', name: 'boats', term: 7 } as Attachment;

interface Asked {
  readonly leaseMs: unknown;
  /** Names and terms. */
  readonly held: unknown;
  /** @param renewed all by default */
  answer(renewed?: readonly { readonly name: string }[]): void;
  fail(): void;
}

/** A database whose writes end when the test decides. */
function slowDatabase() {
  const asked: Asked[] = [];
  const write = (work: () => Work<unknown>) => {
    const { promise, resolve, reject } = Promise.withResolvers<readonly { readonly name: string }[]>();
    const step = work().next().value as Step & { readonly parameters: readonly [string, number] };
    const [pairs, leaseMs] = step.parameters;
    const held = JSON.parse(pairs) as readonly [string, number][];
    const all = held.map(([name]) => ({ name }));
    asked.push({
      leaseMs,
      held,
      answer: (renewed = all) => resolve(renewed),
      fail: () => reject(new Error('no database')),
    });
    return promise;
  };
  return { asked, database: { dialect: sqliteDialect, write } as unknown as Database };
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
  const lease = new LeaderLeases(database, 'main', LEASE_MS).hold(attachment);
  await vi.advanceTimersByTimeAsync(LEASE_MS / 3 - 1);
  expect(asked).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked).toMatchObject([{ leaseMs: LEASE_MS, held: [['boats', 7]] }]);
  await vi.advanceTimersByTimeAsync(LEASE_MS);
  expect(asksFor(asked)).toEqual([LEASE_MS]);
  // The next renewal makes up for one that fails.
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
  const lease = new LeaderLeases(database, 'main', LEASE_MS).hold(attachment);
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

test('the leases of one process are renewed by one write, and one that is being written by its own alone', async () => {
  const { asked, database } = slowDatabase();
  const leases = new LeaderLeases(database, 'main', LEASE_MS);
  const boats = leases.hold(attachment);
  const trains = leases.hold({ ...attachment, name: 'trains', term: 2 });
  await vi.advanceTimersByTimeAsync(LEASE_MS / 3);
  const all = [
    ['boats', 7],
    ['trains', 2],
  ];
  expect(asked).toMatchObject([{ leaseMs: LEASE_MS, held: all }]);
  asked[0]?.answer([{ name: 'trains' }]);
  await vi.advanceTimersByTimeAsync(0);
  expect(asked.slice(1)).toMatchObject([{ leaseMs: LEASE_MS, held: [['boats', 7]] }]);
  asked[1]?.answer();
  await vi.advanceTimersByTimeAsync(LEASE_MS / 3);
  expect(asked.slice(2)).toMatchObject([{ held: all }]);
  asked[2]?.answer();
  for (const lease of [boats, trains]) {
    const closing = lease[Symbol.asyncDispose]();
    await vi.advanceTimersByTimeAsync(0);
    asked.at(-1)?.answer();
    await closing;
  }
  expect(vi.getTimerCount()).toBe(0);
});
