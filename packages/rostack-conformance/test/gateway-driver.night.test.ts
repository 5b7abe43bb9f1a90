import { createDatabase, hasPostgres } from 'test-support/postgres';
import { describe, expect, test } from 'vitest';
import { runConformance, type Target } from '../src/index.ts';
import { driveGateway } from './support/drive-gateway.ts';

/** What only this driver can do; the rest is checked with one in this process. */
const ONLY = ['follows.changes', 'survives.pruning', 'survives.drain', 'survives.histories'];

/** A dozen programs are started one after the other. */
const TIMEOUT_MS = 600_000;

describe('our gateway is driven as a process, by its admin listener and its commands', () => {
  test('over SQLite', { timeout: TIMEOUT_MS }, async () => {
    await using driven = await driveGateway('2026-08-13');
    expect(await passedOn(driven.target, ONLY)).toEqual(
      expect.arrayContaining([
        'ws.at-least-once',
        'ws.drain',
        'ws.close.4410',
        'ws.cursor.unavailable',
        'decided.histories',
      ]),
    );
    await driven.driver.issue({ permissions: [] });
    const doomed = await driven.driver.issue({ expiresInMs: 3_600_000, permissions: ['stations:read'] });
    await driven.driver.revoke(doomed);
    await expect(driven.driver.revoke('no token')).rejects.toMatchObject({ code: 'driver_failed' });
  });

  test.skipIf(!hasPostgres)('over PostgreSQL, copied as it is told', { timeout: TIMEOUT_MS }, async () => {
    await using database = await createDatabase();
    await using driven = await driveGateway('2026-08-12', { database });
    expect(await passedOn(driven.target, ['survives.pruning', 'survives.histories'])).toEqual(
      expect.arrayContaining(['ws.cursor.unavailable', 'decided.histories']),
    );
  });
});

/** Ids that a run of some checks passes; it breaks none. */
async function passedOn(target: Target, only: readonly string[]): Promise<readonly string[]> {
  const { verdicts, results } = await runConformance({ ...target, only });
  expect(results.flatMap(({ error }) => error ?? [])).toEqual([]);
  expect(verdicts.flatMap(({ failures }) => failures)).toEqual([]);
  return verdicts.flatMap(({ requirement, status }) => (status === 'pass' ? [requirement.id] : []));
}
