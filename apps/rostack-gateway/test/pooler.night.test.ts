import { describePooler, startPooler } from 'test-support/pooler';
import { describePostgres, POSTGRES_URL, postgresSchema } from 'test-support/postgres';
import { temporaryFolder } from 'test-support/temporary-folder';
import { expect, test } from 'vitest';
import { ADMIN, ADMIN_TOKEN, adminOf, createTokenIn, follow, put } from './support/operating.ts';
import { startGateway } from './support/running-gateway.ts';
import { writeSampleConfig } from './support/sample-config.ts';

describePostgres('PostgreSQL', () => {
  describePooler('behind a pgbouncer that gives connections to transactions', () => {
    test('gateways start; what one of them writes is followed at the others, with a direct URL and by polling', async () => {
      await using pooler = await startPooler('transaction');
      await using database = postgresSchema();
      await using first = await temporaryFolder();
      await using second = await temporaryFolder();
      const environment = {
        STORE_URL: pooler.url,
        ADMIN_TOKEN,
        KEYS: '0123456789abcdef0123456789abcdef0123456789abcdef',
        ROSTACK__STORE__SCHEMA: database.schema,
      };
      const sample = { storeUrl: pooler.url, sections: `${ADMIN}\nkeys: { env: KEYS }` };
      const config = await writeSampleConfig(first.path, sample);
      await writeSampleConfig(second.path, sample);
      const [direct, polling] = await Promise.all([
        startGateway(first.path, {
          ...environment,
          ROSTACK__STORE__DIRECT_URL: POSTGRES_URL,
          ROSTACK__STORE__POLL_INTERVAL: '1m',
        }),
        startGateway(second.path, environment),
      ]);
      await using _direct = direct;
      await using _polling = polling;
      const token = await createTokenIn(config, environment);
      const followers = [await follow(direct, token), await follow(polling, token)];
      const admins = [await adminOf(polling), await adminOf(direct)];
      const written: string[] = [];
      for (let height = 0; height < 10; height += 1) {
        const admin = admins[height % 2] ?? '';
        expect((await put(admin, `s${height}`, height)).status).toBe(201);
        written.push(`s${height}`);
        for (const { messages } of followers) {
          await expect
            .poll(() => messages.filter(({ type }) => type === 'event').map((event) => event['resource_id']))
            .toEqual(written);
        }
      }
      for (const { socket } of followers) socket.terminate();
      expect(polling.process.stderr.match(/pass a direct URL/g)).toHaveLength(1);
      expect(direct.process.stderr).not.toContain('watch_failed');
      expect(await direct.process.stop('SIGTERM')).toBe(0);
      expect(await polling.process.stop('SIGTERM')).toBe(0);
    });
  });
});
