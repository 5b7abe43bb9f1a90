import { RELEASES } from 'rostack-core';
import { createDatabase, hasPostgres } from 'test-support/postgres';
import { describe, expect, test } from 'vitest';
import { runConformance } from '../src/index.ts';
import { startAuthorizationServer, withAccessTokens } from './support/authorization-server.ts';
import { allKept, isBroken, runOn, SEED, sentences } from './support/gateway-runs.ts';
import { serveGateway } from './support/serve-gateway.ts';

/** Half a minute alone; for a machine that is busy with all other tests. */
const TIMEOUT_MS = 300_000;

describe.concurrent('our gateway keeps all that is checked', { timeout: TIMEOUT_MS }, () => {
  test.each(RELEASES)('over SQLite, by %s', async (release) => {
    expect(await runOn(release)).toEqual(allKept(release));
  });

  test.skipIf(!hasPostgres).each(RELEASES)('over PostgreSQL, by %s', async (release) => {
    await using database = await createDatabase();
    expect(await runOn(release, database)).toEqual(allKept(release));
  });

  test('with access tokens of an authorization server beside shared tokens', async () => {
    await using authorizationServer = await startAuthorizationServer();
    await using served = await serveGateway('2026-08-13', { authorizationServer });
    const { verdicts, results } = await runConformance({
      ...withAccessTokens(served.target, authorizationServer),
      seed: SEED,
      only: ['speaks', 'reads.permissions', 'reads.items', 'follows.reauthentication'],
    });
    expect(results.flatMap(({ error }) => error ?? [])).toEqual([]);
    expect(verdicts.filter(isBroken).map(sentences)).toEqual([]);
    const passed = verdicts
      .filter(({ status }) => status === 'pass')
      .map(({ requirement }) => requirement.id);
    expect(passed).toEqual(
      expect.arrayContaining([
        'auth.oauth.scheme',
        'auth.oauth.verified',
        'auth.challenge',
        'auth.alike',
        'discovery.oauth-metadata',
        'permission.lacking',
        'ws.auth.again-same',
      ]),
    );
  });
});
