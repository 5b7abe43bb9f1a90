import { describePostgres } from 'test-support/postgres';
import { expect, test, vi } from 'vitest';
import { type ResourceDefinition, readQuarantine } from '../src/index.ts';
import { attached, recordsOf } from './support/attached.ts';

const PATIENT = { timeout: 240_000, interval: 200 };

const papers: ResourceDefinition = {
  name: 'observations',
  idPointer: '/id',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['id'],
    properties: { id: { type: 'string' }, paper: { type: ['string', 'null'] } },
  },
  events: [],
};

/** Takes 100 kB in the table, and more than 1 GiB as a text. */
const HUGE = '(select jsonb_agg(1e131071::numeric) from generate_series(1, 8300))';

describePostgres('numbers of huge exponents in jsonb', () => {
  test('a row whose text the server cannot make is in quarantine, and the others are served', async () => {
    const columns = [{ column: 'id' }, { column: 'paper', as: 'json-text' as const }];
    await using at = await attached(papers, { columns }, ({ table, ...app }) =>
      app.query(`alter table ${table} alter station drop not null, add paper jsonb;
        insert into ${table} (id, paper) values (1, '{}'), (3, '{}')`),
    );
    const { app, store, mover } = at;
    await app.query(`insert into ${app.table} (id, paper) values (2, ${HUGE}), (4, '{"n": 1e1000}')`);
    await vi.waitFor(async () => {
      expect((await recordsOf(store)).map(([id]) => id)).toEqual(['1', '3', '4']);
      expect(await readQuarantine(store, 'observations')).toMatchObject({ rows: 1, first: { id: '2' } });
      expect(mover.status).toMatchObject([{ state: 'following' }]);
    }, PATIENT);
  }, 300_000);
});
