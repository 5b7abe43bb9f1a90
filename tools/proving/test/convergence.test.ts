import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { describePostgres, POSTGRES_URL } from 'test-support/postgres';
import { testRuns } from 'test-support/test-runs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runSeed } from '../soak/seed/run-seed.ts';
import { World, type WorldOptions } from '../soak/world/world.ts';

const SEEDS = Array.from({ length: testRuns(1) }, (_, index) => index + 1);
/** What once failed. */
const FOUND: readonly number[] = [];
const ALL = [...SEEDS, ...FOUND];

/** At night 200. */
const FOLLOWS = Math.min(200, testRuns(50));
const FAULTS_MS = 2_500;
/** Patience for a busy machine: alone a seed takes seconds. */
const SETTLE_TIMEOUT_MS = 300_000;
const SEED_TIMEOUT_MS = 900_000;

/** Every second seed has SQLite under it. */
const isForSqlite = (seed: number) => seed % 2 === 0;

describePostgres('two gateways over one PostgreSQL', () => {
  converge({ database: 'postgres', gateways: 2, postgresUrl: POSTGRES_URL }, (seed) => !isForSqlite(seed));
});

// At each commit there is one seed, and so no SQLite.
if (ALL.some(isForSqlite))
  describe('a gateway over SQLite', () => {
    converge({ database: 'sqlite', gateways: 1, postgresUrl: POSTGRES_URL }, isForSqlite);
  });

function converge(options: WorldOptions, isChosen: (seed: number) => boolean): void {
  let world: World;
  const trusted = getCACertificates('default');
  beforeAll(async () => {
    world = await World.create(options);
    setDefaultCACertificates([world.certificatePem]);
  }, SEED_TIMEOUT_MS);
  afterAll(async () => {
    setDefaultCACertificates(trusted);
    await world[Symbol.asyncDispose]();
  }, SEED_TIMEOUT_MS);

  test.for(ALL.filter(isChosen))(
    `seed %i: ${FOLLOWS} follows end with what the database has, each event once and in order`,
    { timeout: SEED_TIMEOUT_MS },
    async (seed) => {
      const settings = { follows: FOLLOWS, faultsMs: FAULTS_MS, settleTimeoutMs: SETTLE_TIMEOUT_MS };
      const report = await runSeed(world, { seed, ...settings });
      expect(report.wrong).toEqual([]);
      expect(report.events).toBeGreaterThan(0);
    },
  );
}
