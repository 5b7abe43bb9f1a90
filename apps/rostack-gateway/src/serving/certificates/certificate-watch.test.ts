import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CertificateWatch } from './certificate-watch.ts';

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 10, 1);

beforeEach(() => {
  vi.useFakeTimers({ now: START_MS });
});

afterEach(() => {
  vi.useRealTimers();
});

/** Watches a certificate, and counts the messages of each day. */
function watching(expiresAtMs: () => number | undefined) {
  const told: string[] = [];
  const watch = new CertificateWatch({
    expiresAtMs,
    nowMs: Date.now,
    renewal: 'write a new one',
    onExpiring: (message) => told.push(message),
  });
  const day = () => {
    vi.advanceTimersByTime(DAY_MS);
    return told.splice(0);
  };
  return { watch, told, day };
}

test('nothing is told until 14 days before the end, then once a day, also after the end', () => {
  const { watch, told, day } = watching(() => START_MS + 15.5 * DAY_MS);
  expect(told).toEqual([]);
  expect(day()).toEqual([]);
  for (const left of ['14 days', '13 days', '12 days'])
    expect(day()).toEqual([expect.stringContaining(`expires in less than ${left}`)]);
  for (let days = 4; days < 15; days += 1) expect(day()).toHaveLength(1);
  expect(day()).toHaveLength(1);
  expect(day()).toEqual([expect.stringContaining('has expired at 2026-11-16T12:00:00.000Z')]);
  watch[Symbol.dispose]();
  expect(day()).toEqual([]);
});

test('one that ends soon is told at once, and no more once it is renewed', () => {
  let expiresAtMs: number | undefined = START_MS + DAY_MS;
  const { watch, told, day } = watching(() => expiresAtMs);
  expect(told).toEqual([
    expect.stringMatching(/expires in less than 1 day, at 2026-11-02T00:00:00.000Z: write a new one$/),
  ]);
  told.splice(0);
  expiresAtMs = START_MS + 90 * DAY_MS;
  expect(day()).toEqual([]);
  expiresAtMs = undefined;
  expect(day()).toEqual([]);
  watch[Symbol.dispose]();
});
