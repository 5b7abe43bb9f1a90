import { expect, test } from 'vitest';
import { runConformance } from '../src/index.ts';
import { driveGateway } from './support/drive-gateway.ts';

/** `pnpm conformance` checks all of it. */
const ONLY = ['follows.changes', 'follows.filtered', 'survives'];

test('our gateway, driven as a process, follows and survives', async () => {
  await using driven = await driveGateway();
  const { verdicts, results } = await runConformance({ ...driven.target, only: ONLY });
  expect(results.flatMap(({ error }) => error ?? [])).toEqual([]);
  expect(verdicts.flatMap(({ failures }) => failures)).toEqual([]);
  const passed = new Set(
    verdicts.flatMap(({ requirement, status }) => (status === 'pass' ? [requirement.id] : [])),
  );
  for (const id of [
    'ws.at-least-once',
    'ws.filtered.whole-record',
    'ws.auth.expiry',
    'auth.token.revocable',
    'ws.auth.revoked-permission',
    'ws.drain',
    'ws.close.4410',
    'ws.cursor.unavailable',
    'decided.slow-consumer',
    'decided.histories',
  ]) {
    expect(passed).toContain(id);
  }
});
