import { expect, test } from 'vitest';
import type { Peers } from './peers.ts';
import { machineHealth } from './peers-health.ts';
import type { Readiness } from './readiness.ts';

const OK = { migrations: 'ok', store: 'ok', writes: 'ok', tail: 'ok', replay: 'ok', serving: 'ok' } as const;

const ready: Readiness = { isReady: true, checks: OK, reasons: {}, quarantinedRows: { boats: 2 } };
const behind = (seconds: number): Readiness => ({
  isReady: false,
  checks: { ...OK, tail: 'failed', store: 'failed' },
  reasons: { tail: `The gateway is behind, for ${seconds} s.`, store: 'The store does not answer.' },
});

const told = (worker: number, readiness: Readiness | undefined) => ({
  worker,
  isServing: true,
  told: readiness,
});

const look = (...workers: ReturnType<typeof told>[]) => {
  const machine = { survey: async () => workers };
  return machineHealth(
    { look: expect.unreachable, read: expect.unreachable },
    machine as unknown as Peers,
    1,
  ).look();
};

test('several workers are ready when each is', async () => {
  expect(await look(told(1, ready), told(2, { ...ready }))).toEqual(ready);
});

test('what fails for some says for which, once for all that say the same', async () => {
  expect(await look(told(1, behind(2)), told(2, ready), told(3, behind(5)))).toEqual({
    isReady: false,
    checks: { ...OK, tail: 'failed', store: 'failed' },
    reasons: {
      tail: 'Worker 1: The gateway is behind, for 2 s. Worker 3: The gateway is behind, for 5 s.',
      store: 'Workers 1, 3: The store does not answer.',
    },
    quarantinedRows: { boats: 2 },
  });
});

test('one that does not answer or serve is not ready', async () => {
  const absent = { ...told(3, undefined), isServing: false };
  expect(await look(told(1, ready), told(2, undefined), absent)).toMatchObject({
    isReady: false,
    checks: { ...OK, serving: 'failed' },
    reasons: { serving: 'Worker 2: It does not answer. Worker 3: It does not serve.' },
  });
});
