import { expect, test } from 'vitest';
import { type Dials, joinDials } from './dials.ts';

const dials = (members: Partial<Dials>): Dials => ({
  certificateExpiresAtMs: undefined,
  connections: 0,
  followers: {},
  principals: [],
  alarms: [],
  ...members,
});

test('several processes are told as one: sums, the worst of each resource, the latest alarms first', () => {
  const alarm = (atMs: number) => ({ kind: 'move_failed', message: String(atMs), atMs, count: 1 });
  const principal = { principalId: 'p', credentialId: undefined, requests: 2, connections: 1 };
  const joined = joinDials([
    dials({
      certificateExpiresAtMs: 9,
      connections: 2,
      followers: { boats: { subscriptions: 1, behindChanges: 4, marginChanges: 7 } },
      principals: [principal],
      alarms: [alarm(3), alarm(1)],
    }),
    dials({
      certificateExpiresAtMs: 8,
      connections: 1,
      followers: {
        boats: { subscriptions: 2, behindChanges: 1, marginChanges: undefined },
        ships: { subscriptions: 1, behindChanges: 0, marginChanges: 5 },
      },
      principals: [
        { ...principal, principalId: 'q', requests: 3 },
        { ...principal, credentialId: 'token' },
      ],
      alarms: [alarm(2)],
    }),
    dials({}),
  ]);
  expect(joined).toEqual({
    certificateExpiresAtMs: 8,
    connections: 3,
    followers: {
      boats: { subscriptions: 3, behindChanges: 4, marginChanges: 7 },
      ships: { subscriptions: 1, behindChanges: 0, marginChanges: 5 },
    },
    principals: [
      { principalId: 'p', credentialId: 'token', requests: 4, connections: 2 },
      { principalId: 'q', credentialId: undefined, requests: 3, connections: 1 },
    ],
    alarms: [alarm(3), alarm(2), alarm(1)],
  });
});
