import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { RostackClient } from '../client/client.ts';
import { OwnClient } from './own-client.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A client whose connecting ends when the test says how. */
function owned() {
  const attempts: PromiseWithResolvers<RostackClient>[] = [];
  const seen: string[] = [];
  const own = new OwnClient(() => {
    const attempt = Promise.withResolvers<RostackClient>();
    attempts.push(attempt);
    return attempt.promise;
  });
  own.subscribe(() => seen.push('told'));
  /** Ends the newest attempt, and lets everybody notice. */
  const end = async (how: Error | string): Promise<void> => {
    const attempt = attempts.at(-1);
    if (how instanceof Error) attempt?.reject(how);
    else attempt?.resolve({ close: async () => void seen.push(`${how} is closed`) } as RostackClient);
    await vi.advanceTimersByTimeAsync(0);
  };
  return { own, attempts, seen, end };
}

test('a provider that is mounted twice, and one that comes back at once, have one client', async () => {
  const { own, attempts, seen, end } = owned();
  own.begin();
  own.end();
  own.begin();
  await end('the client');
  const client = own.current();
  expect(client).toBeDefined();
  own.end();
  vi.advanceTimersByTime(1_999);
  own.begin();
  vi.advanceTimersByTime(10_000);
  expect([attempts.length, own.current() === client, seen]).toEqual([1, true, ['told']]);
});

test('two seconds after its provider has gone a client is closed, and the next provider has another one', async () => {
  const { own, seen, end } = owned();
  own.begin();
  await end('the first');
  own.end();
  vi.advanceTimersByTime(2_000);
  expect([own.current(), seen]).toEqual([undefined, ['told', 'the first is closed']]);
  own.begin();
  await end('the second');
  expect(own.current()).toBeDefined();
  expect(seen).toEqual(['told', 'the first is closed', 'told']);
});

test('a client that comes when nobody waits for it any more is closed, and told to nobody', async () => {
  const { own, seen, end } = owned();
  own.begin();
  own.end();
  vi.advanceTimersByTime(2_000);
  await end('the late one');
  expect([own.current(), seen]).toEqual([undefined, ['the late one is closed']]);
});

test('connecting that fails for good is told, and tried again by the next provider', async () => {
  const { own, attempts, seen, end } = owned();
  const error = Object.assign(new Error('no such server'), { code: 'x', retryable: false });
  own.begin();
  await end(error);
  expect([own.failure, seen, attempts.length]).toEqual([{ error }, ['told'], 1]);
  own.begin();
  expect([own.failure, attempts.length]).toEqual([undefined, 2]);
  await end('the client');
  expect([own.failure, own.current() === undefined]).toEqual([undefined, false]);
});
