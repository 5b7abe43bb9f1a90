import { RELEASES, type Release } from 'rostack-core';
import { describe, expect, test } from 'vitest';
import { LEVELS, runConformance, type Verdict } from '../src/index.ts';
import { createDatabase, hasPostgres } from './support/postgres.ts';
import { serveGateway } from './support/serve-gateway.ts';

const isPostgresThere = await hasPostgres();
const SEED = Number(process.env['TEST_SEED'] ?? 1);

async function runOn(release: Release, storeUrl?: string) {
  await using served = await serveGateway(release, storeUrl);
  const { verdicts, results, release: found } = await runConformance({ ...served.target, seed: SEED });
  const judging = new Set(verdicts.flatMap(({ judgedBy }) => judgedBy));
  return {
    seed: SEED,
    release: found,
    broken: verdicts.filter(isBroken).map(sentences),
    errors: results.flatMap(({ error }) => error ?? []),
    levels: LEVELS.filter((level) => [...judging].some((name) => name.startsWith(`${level}.`))),
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

/** Half a minute alone; for a machine that is busy with all other tests. */
const TIMEOUT_MS = 300_000;

describe.concurrent('our gateway keeps all that is checked', { timeout: TIMEOUT_MS }, () => {
  const nothing = (release: Release) => ({ seed: SEED, release, broken: [], errors: [], levels: LEVELS });

  test.each(RELEASES)('over SQLite, by %s', async (release) => {
    expect(await runOn(release)).toEqual(nothing(release));
  });

  test.skipIf(!isPostgresThere).each(RELEASES)('over PostgreSQL, by %s', async (release) => {
    await using database = await createDatabase();
    expect(await runOn(release, database.url)).toEqual(nothing(release));
  });
});
