import { spawnSync } from 'node:child_process';
import {
  connectPostgres,
  createDatabase,
  describePostgres,
  dropLeftDatabases,
  queryPostgres,
} from 'test-support/postgres';
import { expect, test } from 'vitest';

describePostgres('databases of tests', () => {
  test('are dropped by the next process if theirs was ended, unless somebody is connected to them', async () => {
    const { pid: gone } = spawnSync(process.execPath, ['-e', '']);
    await using own = await createDatabase();
    const names = [`test_${gone}_left`, `test_${gone}_in_use`, `test_${process.pid}_running`];
    try {
      for (const name of names) await queryPostgres(`create database ${name}`);
      const url = new URL(own.url);
      url.pathname = `/${names[1]}`;
      await using _client = await connectPostgres(url.href);
      await dropLeftDatabases();
      const left = await queryPostgres(
        `select datname as name from pg_database where datname in ('${names.join("', '")}') order by 1`,
      );
      expect(left.map(({ name }) => name)).toEqual(names.slice(1).toSorted());
    } finally {
      for (const name of names) await queryPostgres(`drop database if exists ${name} with (force)`);
    }
  });
});
