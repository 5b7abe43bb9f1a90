import { Client } from 'pg';
import { PostgresCluster } from 'test-support/own-postgres/cluster';
import { describePostgresPrograms } from 'test-support/own-postgres/describe';
import { PostgresPrograms } from 'test-support/own-postgres/programs';
import { expect, test, vi } from 'vitest';
import { attachTable, openStore, startMover } from '../src/index.ts';
import { following, recordsOf } from './support/attached.ts';
import { observations } from './support/observations.ts';

describePostgresPrograms('an attached table of a server with prepared transactions', () => {
  test('its writers may prepare, and nobody is to be woken by them', async () => {
    await using stack = new AsyncDisposableStack();
    const programs = stack.use(await PostgresPrograms.find());
    const cluster = new PostgresCluster(programs, 'prepared', ['max_prepared_transactions=5']);
    await cluster.init();
    await cluster.start();
    stack.defer(() => cluster.stop('fast'));
    const url = `postgres://cluster@127.0.0.1:${cluster.port}/postgres`;
    const app = new Client({ connectionString: url });
    await app.connect();
    stack.defer(() => app.end());
    await app.query(
      `create schema app; create table app.observations (id int primary key, station text not null)`,
    );
    const source = { table: 'app.observations', key: 'id', columns: ['id', 'station'] };
    const { properties } = observations.schema as { readonly properties: Record<string, unknown> };
    const { id, station } = properties;
    const definition = {
      ...observations,
      schema: {
        ...(observations.schema as object),
        required: ['id', 'station'],
        properties: { id, station },
      },
      sortableFields: [],
    };
    const store = stack.use(await openStore({ url, schema: 'rostack', resources: [definition] }));
    await attachTable(store, 'observations', source);
    const mover = stack.use(startMover(store, { observations: source }));
    await following(mover);
    await app.query(`select setval('rostack.asleep_1', 1)`);
    await app.query(`begin; insert into app.observations values (1, 'one'); prepare transaction 'first'`);
    await app.query(`commit prepared 'first'`);
    await vi.waitFor(async () => expect(await recordsOf(store)).toHaveLength(1));
    await mover.close();
  });
});
