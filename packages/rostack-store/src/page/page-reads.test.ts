import { SourceUnavailableError } from 'rostack-core';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Database } from '../drivers/database.ts';
import { OverTimeError } from '../drivers/over-time-error.ts';
import { PageReads } from './scan/sliced-way.ts';

const TIMEOUT_MS = 2_000;
const STEP_MS = 50;

function start(backgroundRead: (read: unknown, work: () => unknown) => Promise<unknown>) {
  const long = vi.fn(backgroundRead);
  const reads = new PageReads(
    { backgroundRead: long, longStepMs: STEP_MS } as unknown as Database,
    TIMEOUT_MS,
  );
  return { long, reads };
}

// oxlint-disable-next-line require-yield -- sends no query
function* nothing() {
  return 'done';
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('a page that is over its time asks for nothing more', async () => {
  const { long, reads } = start(async (_read, work) => work());
  vi.advanceTimersByTime(TIMEOUT_MS);
  await reads.read(nothing);
  vi.advanceTimersByTime(1);
  await expect(reads.read(nothing)).rejects.toThrow('not complete after 2000 ms');
  await expect(reads.read(nothing)).rejects.toBeInstanceOf(SourceUnavailableError);
  expect(long).toHaveBeenCalledTimes(1);
});

test('a step that is ended for its time is told as the page, any other failure as it is', async () => {
  const { reads } = start(() => Promise.reject(new OverTimeError()));
  await expect(reads.read(nothing)).rejects.toBeInstanceOf(SourceUnavailableError);
  const fault = new Error('another');
  await expect(start(() => Promise.reject(fault)).reads.read(nothing)).rejects.toBe(fault);
});

test('the speed of a step is what a step may take over what it took, without the wait for its turn', async () => {
  const { reads } = start(async (_read, work) => {
    vi.advanceTimersByTime(500);
    const done = work();
    vi.advanceTimersByTime(25);
    return done;
  });
  expect((await reads.read(nothing)).speed).toBe(2);
});
