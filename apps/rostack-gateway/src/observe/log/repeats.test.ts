import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { logHooks } from '../hooks.ts';
import { Repeats } from './repeats.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function logging() {
  const lines: Record<string, unknown>[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
      done();
    },
  });
  const logger = pino({ base: null }, destination);
  const repeats = new Repeats(logger);
  return { lines, repeats, hooks: logHooks(logger, repeats) };
}

const refused = (principalId: string) => ({
  requestId: 'r',
  method: 'GET',
  path: '/api/stations',
  operation: 'list' as const,
  resource: 'stations',
  recordId: undefined,
  status: 429,
  problem: 'rate-limited' as const,
  durationMs: 1,
  principalId,
  credentialId: 't1',
  refusal: undefined,
  refusalDetail: undefined,
  clientAddress: '192.0.2.1',
  pageCache: undefined,
  pageCacheBytes: undefined,
});

test('300 refusals of one principal by a rate limit are one line, and then their number', () => {
  const { lines, hooks } = logging();
  for (let number = 0; number < 300; number += 1) hooks.onRequest?.(refused('a'));
  hooks.onRequest?.(refused('b'));
  expect(lines.map(({ msg, principalId }) => [msg, principalId])).toEqual([
    ['client is limited', 'a'],
    ['client is limited', 'b'],
  ]);
  vi.advanceTimersByTime(60_000);
  expect(lines.slice(2)).toMatchObject([
    { msg: 'client is limited, again', principalId: 'a', credentialId: 't1', times: 299, withinMs: 60_000 },
  ]);
  hooks.onRequest?.(refused('a'));
  expect(lines).toHaveLength(4);
});

test('an error is said in full once a minute, and a different one at once', () => {
  const { lines, hooks } = logging();
  const context = { operation: 'list', resource: 'stations' } as const;
  for (const requestId of ['r1', 'r2', 'r3'])
    hooks.onError?.(new RangeError('out of bounds'), { ...context, requestId });
  hooks.onError?.(new RangeError('another'), { ...context, requestId: 'r4' });
  expect(lines.map(({ requestId }) => requestId)).toEqual(['r1', 'r4']);
  vi.advanceTimersByTime(60_000);
  expect(lines.slice(2)).toMatchObject([
    { level: 50, msg: 'request failed, again', reason: 'out of bounds', times: 2 },
  ]);
});

test('what is still counted at the end is said then, and no timer is left', () => {
  const { lines, repeats, hooks } = logging();
  for (let number = 0; number < 3; number += 1) hooks.onRequest?.(refused('a'));
  hooks.onRequest?.(refused('b'));
  repeats[Symbol.dispose]();
  expect(lines.slice(2)).toMatchObject([{ msg: 'client is limited, again', principalId: 'a', times: 2 }]);
  expect(vi.getTimerCount()).toBe(0);
  hooks.onRequest?.(refused('a'));
  expect(lines).toHaveLength(4);
  expect(vi.getTimerCount()).toBe(0);
});
