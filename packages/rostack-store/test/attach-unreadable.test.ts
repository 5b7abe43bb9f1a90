import { describePostgres } from 'test-support/postgres';
import { expect, test, vi } from 'vitest';
import { type ResourceDefinition, readQuarantine } from '../src/index.ts';
import { type Attached, attached, recordsOf } from './support/attached.ts';
import type { AppTable } from './support/observations.ts';

const PATIENT = { timeout: 60_000, interval: 50 };

const moments: ResourceDefinition = {
  name: 'observations',
  idPointer: '/id',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['id'],
    properties: { id: { type: 'string' }, moment: { type: ['string', 'null'] } },
  },
  events: [],
};

/** A type whose numbers are printed as times: what is beyond them the server takes, but cannot print. */
const addMoments = ({ schema, table, ...app }: AppTable): Promise<unknown> => {
  const options = 'language internal immutable strict';
  return app.query(`create type ${schema}.moment;
    create function ${schema}.moment_in(cstring) returns ${schema}.moment as 'int8in' ${options};
    create function ${schema}.moment_out(${schema}.moment) returns cstring as 'timestamptz_out' ${options};
    create type ${schema}.moment (input = ${schema}.moment_in, output = ${schema}.moment_out, internallength = 8,
      passedbyvalue, alignment = double);
    alter table ${table} alter station drop not null, add moment ${schema}.moment;
    insert into ${table} (id, moment) values ${rows(1, 20, [7, 8])}`);
};

const UNPRINTABLE = '-9223372036854775807';
const rows = (from: number, to: number, bad: readonly number[]): string =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at)
    .map((id) => `(${id}, '${bad.includes(id) ? UNPRINTABLE : id}')`)
    .join(', ');

async function served({ store, mover }: Attached, count: number, refused: readonly string[]): Promise<void> {
  await vi.waitFor(async () => {
    const served = (await recordsOf(store)).map(([id]) => id);
    expect(served).toHaveLength(count);
    expect(served.filter((id) => refused.includes(id))).toEqual([]);
    expect(await readQuarantine(store, 'observations')).toMatchObject({ rows: refused.length });
    expect(mover.status).toMatchObject([{ state: 'following' }]);
  }, PATIENT);
}

describePostgres('a row that the server cannot hand out', () => {
  test('it alone is in quarantine, when the table is copied and when it changes, and the others are served', async () => {
    const columns = [{ column: 'id' }, { column: 'moment', as: 'text' as const }];
    await using at = await attached(moments, { columns }, addMoments);
    const { app, store, alarms } = at;
    await served(at, 18, ['7', '8']);
    const quarantine = await readQuarantine(store, 'observations');
    expect(quarantine).toMatchObject({ first: { reason: expect.stringContaining('(22008)') } });

    await app.query(`insert into ${app.table} (id, moment) values ${rows(21, 40, [33, 36])}`);
    await served(at, 36, ['7', '8', '33', '36']);

    await app.query(
      `update ${app.table} set moment = '1' where id in (7, 33); delete from ${app.table} where id = 8`,
    );
    await served(at, 38, ['36']);
    expect(alarms.map(({ code }) => code)).not.toContain('move_failed');
  });
});
