import { describePostgres } from 'test-support/postgres';
import { expect, test, vi } from 'vitest';
import { attachTable, checkTableSource, type ResourceDefinition } from '../src/index.ts';
import { attached, recordsOf } from './support/attached.ts';
import { setting } from './support/boats.ts';
import { postgres } from './support/databases.ts';
import { appTable } from './support/observations.ts';

const documents = (doc: object): ResourceDefinition => ({
  name: 'observations',
  idPointer: '/id',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['id'],
    properties: { id: { type: 'string' }, doc },
  },
});
const TEXT = { type: 'string' };
const POINT = {
  type: ['object', 'null'],
  additionalProperties: false,
  properties: { n: { type: 'number' } },
};
const AS_TEXT = { key: 'k', columns: [{ column: 'doc', as: 'json-text' as const }] };

const tableOf =
  (type: string, values: string) =>
  async (app: { table: string; query: (sql: string) => Promise<unknown> }) =>
    app.query(`drop table ${app.table}; create table ${app.table} (k text primary key, doc ${type});
    insert into ${app.table} values ${values}`);

describePostgres('columns of JSON', () => {
  test.each(['json', 'jsonb'])('of %s are offered as their text, whatever is in them', async (type) => {
    const values = `('a', '{"n": 12345678901234567890, "free": [1]}'), ('b', '"text"'), ('c', null)`;
    await using running = await attached(documents(TEXT), AS_TEXT, tableOf(type, values));
    expect(await recordsOf(running.store)).toEqual([
      ['a', { id: 'a', doc: '{"n": 12345678901234567890, "free": [1]}' }],
      ['b', { id: 'b', doc: '"text"' }],
      ['c', { id: 'c' }],
    ]);
    await running.app.query(`update ${running.app.table} set doc = '[]' where k = 'b'`);
    await vi.waitFor(async () => {
      expect((await recordsOf(running.store))[1]).toEqual(['b', { id: 'b', doc: '[]' }]);
    });
  });

  test('as values hold what a record would say differently in quarantine, with its place', async () => {
    const values = `('a', '{"n":1}'), ('b', '{"n":12345678901234567890}'), ('c', '{"n":1,"n":2}')`;
    const source = { key: 'k', columns: ['doc'] };
    await using running = await attached(documents(POINT), source, tableOf('json', values));
    const { app, store, database } = running;
    expect(await recordsOf(store)).toEqual([['a', { id: 'a', doc: { n: 1 } }]]);
    expect(await app.query(`select id, reason from ${database.schema}.quarantine order by id`)).toEqual([
      { id: 'b', reason: expect.stringContaining('/doc: in its JSON, /n has more digits') },
      { id: 'c', reason: expect.stringContaining('/doc: in its JSON, /n is repeated') },
    ]);
  });

  test('are refused where a schema wants a text and the mapping does not give one', async () => {
    await using database = postgres();
    await using app = await appTable(database);
    await tableOf('jsonb', `('a', '{}')`)(app);
    await using store = await database.open({ resources: [documents(TEXT)] });
    const attach = (column: object) =>
      attachTable(store, 'observations', { table: app.table, key: 'k', columns: [column as never] });
    await expect(attach({ column: 'doc' })).rejects.toThrow(
      'doc (jsonb) becomes the value in its JSON, but the schema wants string; for its text write { column: "doc", as: json-text }',
    );
    await app.query(`alter table ${app.table} alter doc type text`);
    await expect(attach({ column: 'doc', as: 'json-text' })).rejects.toThrow(
      'is text, which is not JSON: write json-text for columns of json or jsonb',
    );
  });
});

test('json-text is refused before any database is asked where the schema takes no text', () => {
  expect(() => checkTableSource({ table: 'a', ...AS_TEXT }, documents(POINT))).toThrow(
    'the column doc is to be the text of its JSON, but the schema does not allow a string for the member "doc"; write { type: string } there',
  );
});

test('on SQLite json-text is a text that is JSON', async () => {
  const definition = { ...documents(TEXT), name: 'boats' };
  await using at = await setting('create table boats (id text primary key, doc text)', definition);
  at.app.exec(
    `insert into boats values ('a', '{"n":12345678901234567890,"n":1}'), ('b', 'no json'), ('c', x'00'), ('d', null)`,
  );
  await at.follow({ key: 'id', columns: [{ column: 'doc', as: 'json-text' }] });
  await vi.waitFor(async () => {
    expect(await recordsOf(at.store, 'boats')).toEqual([
      ['a', { id: 'a', doc: '{"n":12345678901234567890,"n":1}' }],
      ['d', { id: 'd' }],
    ]);
  });
  const reasons = at.app.prepare('select id, reason from quarantine order by id').raw().all();
  expect(reasons).toEqual([
    ['b', '/doc: is not JSON'],
    ['c', '/doc: is not JSON'],
  ]);
});
