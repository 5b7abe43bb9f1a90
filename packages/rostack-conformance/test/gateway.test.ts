import { RELEASES, type Release } from 'rostack-core';
import { describe, expect, test } from 'vitest';
import { LEVELS, runConformance, type Verdict } from '../src/index.ts';
import { startAuthorizationServer, withAccessTokens } from './support/authorization-server.ts';
import { createDatabase, hasPostgres, type OwnDatabase } from './support/postgres.ts';
import { serveGateway } from './support/serve-gateway.ts';

const isPostgresThere = await hasPostgres();
const SEED = Number(process.env['TEST_SEED'] ?? 1);

async function runOn(release: Release, database?: OwnDatabase) {
  await using served = await serveGateway(release, { database });
  const { verdicts, results, release: found } = await runConformance({ ...served.target, seed: SEED });
  const judging = new Set(verdicts.flatMap(({ judgedBy }) => judgedBy));
  return {
    seed: SEED,
    release: found,
    broken: verdicts.filter(isBroken).map(sentences),
    errors: results.flatMap(({ error }) => error ?? []),
    levels: LEVELS.filter((level) => [...judging].some((name) => name.startsWith(`${level}.`))),
    unseen: verdicts.filter(isUnseen).map(({ requirement, reason }) => `${requirement.id}: ${reason}`),
  };
}

/** Ours keeps what was decided where the protocol is silent too. */
const isBroken = ({ status, failures }: Verdict): boolean => failures.length > 0 || status === 'error';

const sentences = ({ requirement, status, failures, reason }: Verdict): string =>
  [
    `${requirement.id} ${status}`,
    reason,
    ...failures.map(({ check, got, exchange }) => `${check} ${exchange?.url ?? ''} ${got}`),
  ].join('\n');

/** What the gateway does not claim, or does only when something is wrong with it; by beginnings of ids. */
const NOT_SHOWN = [
  'auth.oauth', // judged below
  'discovery.oauth-metadata',
  'discovery.member.authentication.methods',
  'ws.rule.url_usable', // no detail_url, no gateway_url
  'err.http.member.instance',
  'err.http.type.internal-error',
  'err.http.type.service-unavailable',
  'err.http.fallback',
  'err.http.retry-after.required', // as the next one
  'err.http.type.rate-limited', // a slow machine is never too quick
];

const isUnseen = ({ requirement: { id, unchecked }, status, reason }: Verdict): boolean =>
  status === 'skip' &&
  unchecked === undefined &&
  reason !== 'not selected' &&
  !NOT_SHOWN.some((beginning) => id.startsWith(beginning));

/** Half a minute alone; for a machine that is busy with all other tests. */
const TIMEOUT_MS = 300_000;

describe.concurrent('our gateway keeps all that is checked', { timeout: TIMEOUT_MS }, () => {
  const all = (release: Release) => ({
    seed: SEED,
    release,
    broken: [],
    errors: [],
    levels: LEVELS,
    unseen: release === '2026-08-12' ? UNSEEN_BEFORE : [],
  });
  /** What that release leaves open: types of operands, and which errors have a subscription. */
  const UNSEEN_BEFORE = [
    'release.filter-operands: no data',
    'filter.rule.scalar_operand: no data',
    'ws.rule.subscription_id_given: no data',
  ];

  test.each(RELEASES)('over SQLite, by %s', async (release) => {
    expect(await runOn(release)).toEqual(all(release));
  });

  test.skipIf(!isPostgresThere).each(RELEASES)('over PostgreSQL, by %s', async (release) => {
    await using database = await createDatabase();
    expect(await runOn(release, database)).toEqual(all(release));
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
