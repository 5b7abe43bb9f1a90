import { expect, test } from 'vitest';
import { runConformance } from '../src/index.ts';
import { driveGateway } from './support/drive-gateway.ts';

/** What only this driver can do; the rest is checked with one in this process. */
const ONLY = ['follows.changes', 'survives.pruning', 'survives.drain', 'survives.histories'];

/** A dozen programs are started one after the other. */
const TIMEOUT_MS = 120_000;

test(
  'our gateway is driven as a process, by its admin listener and its commands',
  async () => {
    await using driven = await driveGateway();
    const { verdicts, results } = await runConformance({ ...driven.target, only: ONLY });
    expect(results.flatMap(({ error }) => error ?? [])).toEqual([]);
    expect(verdicts.flatMap(({ failures }) => failures)).toEqual([]);
    const passed = new Set(
      verdicts.flatMap(({ requirement, status }) => (status === 'pass' ? [requirement.id] : [])),
    );
    for (const id of [
      'ws.at-least-once',
      'ws.drain',
      'ws.close.4410',
      'ws.cursor.unavailable',
      'decided.histories',
    ]) {
      expect(passed).toContain(id);
    }
    const doomed = await driven.driver.issue({ expiresInMs: 3_600_000, permissions: ['stations:read'] });
    await driven.driver.revoke(doomed);
    await expect(driven.driver.revoke('no token')).rejects.toMatchObject({ code: 'driver_failed' });
  },
  TIMEOUT_MS,
);
