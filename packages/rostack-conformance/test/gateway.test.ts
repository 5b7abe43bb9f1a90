import { RELEASES, type Release } from 'rostack-core';
import { describe, expect, test } from 'vitest';
import { runConformance, type Verdict } from '../src/index.ts';
import { createDatabase, hasPostgres } from './support/postgres.ts';
import { serveGateway } from './support/serve-gateway.ts';

const isPostgresThere = await hasPostgres();
const SEED = Number(process.env['TEST_SEED'] ?? 1);

async function expectNothingBroken(release: Release, storeUrl?: string): Promise<void> {
  await using served = await serveGateway(release, storeUrl);
  const { verdicts, results, release: found } = await runConformance({ ...served.target, seed: SEED });
  expect(verdicts.filter(isBroken).map(sentences), `seed ${SEED}`).toEqual([]);
  expect(results.flatMap(({ error }) => error ?? [])).toEqual([]);
  expect(found).toBe(release);
  for (const level of ['speaks.', 'reads.', 'follows.', 'survives.']) {
    const isOf = ({ judgedBy }: Verdict) => judgedBy.some((name) => name.startsWith(level));
    expect(verdicts.filter(isOf).length, level).toBeGreaterThan(5);
  }
}

/** Ours keeps what was decided where the protocol is silent too. */
const isBroken = ({ status, failures }: Verdict): boolean => failures.length > 0 || status === 'error';

const sentences = ({ requirement, status, failures, reason }: Verdict): string =>
  [
    `${requirement.id} ${status}`,
    reason,
    ...failures.map(({ check, got, exchange }) => `${check} ${exchange?.url ?? ''} ${got}`),
  ].join('\n');

describe.concurrent('our gateway keeps all that is checked', () => {
  test.each(RELEASES)('over SQLite, by %s', (release) => expectNothingBroken(release));

  test.skipIf(!isPostgresThere).each(RELEASES)('over PostgreSQL, by %s', async (release) => {
    await using database = await createDatabase();
    await expectNothingBroken(release, database.url);
  });
});
