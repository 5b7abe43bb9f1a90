import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { KeptFault } from './kept-fault.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const coded = (code: string) => Object.assign(new Error(`said by ${code}`), { code });

function kept() {
  const told: string[] = [];
  return { told, fault: new KeptFault('boats', (code, message) => told.push(`${code} ${message}`)) };
}

test('causes that take turns are told once each, and again in a summary after five minutes', () => {
  const { told, fault } = kept();
  for (let second = 0; second < 290; second += 10) {
    fault.fail(coded(second % 20 === 0 ? '42501' : '57014'));
    vi.advanceTimersByTime(10_000);
  }
  expect(told).toHaveLength(2);
  expect(told[1]).toContain('2 times in 10 s');
  vi.advanceTimersByTime(20_000);
  fault.fail(coded('42501'));
  fault.fail(coded('42501'));
  expect(told).toHaveLength(3);
  expect(told[2]).toContain('30 times in 310 s');
});

test('what operators mend in the same way is one cause', () => {
  const { told, fault } = kept();
  for (const code of ['ECONNRESET', 'ECONNREFUSED', '08006']) fault.fail(coded(code));
  expect(told).toHaveLength(1);
  expect(fault.now).toMatchObject({ fault: { code: '08006', failures: 3 } });
});

test('messages that differ each time and have no code are told seldom', () => {
  const { told, fault } = kept();
  for (let number = 0; number < 1_000; number += 1) fault.fail(new Error(`failure ${number}`));
  expect(told.length).toBeLessThan(20);
});

test.each([
  ['timeout expired', 'ETIMEDOUT'],
  ['Query read timeout', 'ETIMEDOUT'],
  ['timeout exceeded when trying to connect', 'ETIMEDOUT'],
  ['no answer in time', 'ETIMEDOUT'],
  ['Connection terminated unexpectedly', 'ECONNRESET'],
  ['Client was closed and is not queryable', 'ECONNRESET'],
])('"%s", which has no code, has that of its kind', (message, code) => {
  const { told, fault } = kept();
  fault.fail(new Error('the store cannot be read', { cause: new Error(message) }));
  expect(fault.now).toMatchObject({ fault: { code, advice: expect.stringContaining('the server') } });
  expect(told[0]).toContain(message);
});

test('the end of a fault raises an alarm, and so does the next fault', () => {
  const { told, fault } = kept();
  fault.fail(coded('42501'));
  fault.recover();
  expect(fault.now).toBeUndefined();
  fault.fail(coded('42501'));
  expect(told.map((line) => line.split(' ')[0])).toEqual(['move_failed', 'move_resumed', 'move_failed']);
});
