import { expect, test } from 'vitest';
import type { Dials } from '../../cluster/peers/dials.ts';
import type { Readiness, TableCondition } from '../../cluster/peers/readiness.ts';
import { nextSteps } from './next-steps.ts';

const NOW_MS = Date.UTC(2026, 10, 29);
const DAY_MS = 86_400_000;
const READY: Readiness = {
  isReady: true,
  checks: { migrations: 'ok', store: 'ok', writes: 'ok', tail: 'ok', replay: 'ok', serving: 'ok' },
  reasons: {},
};
const QUIET: Dials = {
  certificateExpiresAtMs: undefined,
  connections: 0,
  followers: {},
  principals: [],
  alarms: [],
};

const stepsOf = (readiness: Partial<Readiness>, dials: Partial<Dials> = {}): readonly string[] =>
  nextSteps({ ...READY, ...readiness }, { ...QUIET, ...dials }, NOW_MS);

test('there is nothing to do where all is well', () => {
  expect(stepsOf({})).toEqual([]);
});

test.for<readonly [TableCondition['state'], boolean]>([
  ['standby', false],
  ['loading', false],
  ['following', false],
  ['failing', true],
  ['stopped', true],
])('a table that is %s needs somebody: %s', ([state, needsSomebody]) => {
  const steps = stepsOf({ tables: { boats: { state, reason: 'no room' } } });
  expect(steps).toEqual(needsSomebody ? [`boats is ${state}: no room`] : []);
});

test('a certificate, refused rows and followers short of their place are told', () => {
  const follower = { subscriptions: 1, behindChanges: 5 };
  const steps = stepsOf(
    { quarantinedRows: { boats: 2 } },
    {
      certificateExpiresAtMs: NOW_MS + DAY_MS,
      followers: {
        near: { ...follower, marginChanges: 999 },
        far: { ...follower, marginChanges: 1_000 },
        there: { ...follower, behindChanges: 0, marginChanges: 1 },
      },
    },
  );
  expect(steps).toEqual([
    expect.stringMatching(/^the certificate .*: renew it$/),
    expect.stringContaining('boats refuses rows of its table (2 now)'),
    expect.stringContaining('a follower of near loses its place after 999 more changes'),
  ]);
});
