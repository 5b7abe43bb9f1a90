import type { ObservedConnection, RequestReport } from 'rostack-server';
import { expect, test } from 'vitest';
import { PrincipalTally, WINDOW_MS } from './principal-tally.ts';

const connection = (id: number) => ({ id }) as unknown as ObservedConnection;

function tally(kept?: number) {
  let nowMs = 0;
  const principals = new PrincipalTally(() => nowMs, kept);
  const { hooks } = principals;
  const ask = (principalId: string | undefined, times = 1, credentialId?: string) => {
    for (let time = 0; time < times; time += 1)
      hooks.onRequest?.({ principalId, credentialId } as unknown as RequestReport);
  };
  return { principals, hooks, ask, pass: (ms: number) => void (nowMs += ms) };
}

test('requests and WebSockets are counted by principal, the most active first', () => {
  const { principals, hooks, ask } = tally();
  ask('quiet', 1);
  ask('busy', 3, 'token');
  ask(undefined, 9);
  for (const id of [1, 2]) hooks.onAuthenticated?.(connection(id), 'quiet');
  // Another credential on the same connection.
  hooks.onAuthenticated?.(connection(2), 'quiet');
  hooks.onAuthenticated?.(connection(3), 'busy');
  hooks.onClosed?.(connection(3), 1000, '');
  expect(principals.top()).toEqual([
    { principalId: 'busy', credentialId: 'token', requests: 3, connections: 0 },
    { principalId: 'quiet', credentialId: undefined, requests: 1, connections: 2 },
  ]);
});

test('requests count for one to two windows', () => {
  const { principals, ask, pass } = tally();
  ask('one', 2);
  pass(WINDOW_MS);
  ask('one', 1);
  expect(principals.top()).toMatchObject([{ requests: 3 }]);
  pass(WINDOW_MS);
  expect(principals.top()).toMatchObject([{ requests: 1 }]);
  pass(2 * WINDOW_MS);
  expect(principals.top()).toEqual([]);
});

test('with more principals than are kept, one that asks much is still found', () => {
  const { principals, ask } = tally(4);
  for (let round = 0; round < 50; round += 1) {
    ask('busy', 5);
    for (let other = 0; other < 8; other += 1) ask(`other-${round}-${other}`);
  }
  expect(principals.top()[0]).toMatchObject({ principalId: 'busy' });
  expect(principals.top()).toHaveLength(4);
});
