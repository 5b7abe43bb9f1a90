import { describePostgresPrograms } from 'test-support/own-postgres/describe';
import { afterAll, beforeAll, test } from 'vitest';
import { PostgresWays, postgresWays } from './support/histories/postgres-ways.ts';
import { putBackAndCompare } from './support/histories/put-back.ts';

describePostgresPrograms(
  'what was handed out before a database was put back is refused by every gateway',
  () => {
    let ways: PostgresWays;
    beforeAll(async () => {
      ways = await PostgresWays.start();
    });
    afterAll(() => ways[Symbol.asyncDispose]());
    // oxlint-disable-next-line vitest/expect-expect -- what is handed out is compared there
    test.each(postgresWays(() => ways))('$name', putBackAndCompare);
  },
);
