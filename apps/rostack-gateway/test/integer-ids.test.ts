import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describePostgres, postgresSchema, queryPostgres } from 'test-support/postgres';
import { temporaryFolder } from 'test-support/temporary-folder';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type AdminGateway, adminGateway } from './support/admin-gateway.ts';
import { bearing } from './support/get.ts';
import { runCommand } from './support/run-command.ts';
import { startGateway } from './support/running-gateway.ts';
import { stationSchema, writeSampleConfig } from './support/sample-config.ts';

const withIds = (id: object) => ({
  ...stationSchema,
  properties: { ...stationSchema.properties, id },
});
const schema = withIds({ type: 'integer' });

describe('the admin listener, where ids are integers', () => {
  let running: AdminGateway;

  beforeAll(async () => {
    running = await adminGateway({ schema });
  });

  afterAll(() => running[Symbol.asyncDispose]());

  test('takes the decimal text in the path, and an integer in the record', async () => {
    const created = await running.put({ id: 42, height: 1 }, {}, '42');
    expect(created.status).toBe(201);
    expect(await created.json()).toMatchObject({ id: '42', transition: 'create' });
    expect(await running.stored('42')).toEqual({ id: 42, height: 1 });
    for (const path of ['042', '42.0', '43']) {
      const other = await running.put({ id: 42, height: 2 }, {}, path);
      expect(await other.json()).toMatchObject({ status: 400, code: 'request_invalid' });
      expect(await (await running.remove(path)).json()).toMatchObject({ id: path, changed: false });
    }
    const text = await running.put({ id: '42', height: 2 }, {}, '42');
    expect(await text.json()).toMatchObject({ code: 'record_invalid', pointer: '/id' });
    expect(await (await running.remove('42', { 'If-Match': '*' })).json()).toMatchObject({ changed: true });
    expect(await running.stored('42')).toBe('gone');
  });

  test('takes changes with integers, or with their texts', async () => {
    const changes = [
      { op: 'put', record: { id: 7, height: 1 } },
      { op: 'put', record: { id: 8, height: 1 } },
      { op: 'delete', id: 7 },
      { op: 'delete', id: '8' },
      { op: 'delete', id: 1.5 },
      { op: 'put', record: { id: 2 ** 53, height: 1 } },
    ];
    const response = await running.admin('/resources/stations/changes', {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-ndjson' },
      body: changes.map((change) => `${JSON.stringify(change)}\n`).join(''),
    });
    const lines = (await response.text()).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { status: 'changed', id: '7', transition: 'create' },
      { status: 'changed', id: '8', transition: 'create' },
      { status: 'changed', id: '7', transition: 'delete' },
      { status: 'changed', id: '8', transition: 'delete' },
      {
        status: 'refused',
        code: 'change_malformed',
        message: 'id: Expected a string or an integer that a JSON number holds exactly',
      },
      { status: 'refused', code: 'record_invalid', pointer: '/id' },
      { done: true, changed: 4, refused: 2 },
    ]);
  });
});

describe('commands, where ids are integers', () => {
  test('import writes NDJSON and CSV, and deletes what is missing', async () => {
    await using folder = await temporaryFolder();
    const config = await writeSampleConfig(folder.path, { schema });
    const run = async (name: string, content: string, ...argv: string[]) => {
      const file = join(folder.path, name);
      await writeFile(file, content);
      return runCommand(['import', 'stations', file, '--config', config, ...argv]);
    };
    const first = '{"id":1,"height":1}\n{"id":2,"height":1}\n{"id":2,"height":2}\n{"id":3,"height":1}\n';
    expect((await run('a.ndjson', first)).stdout).toBe(
      'records 4: created 3, updated 1, unchanged 0, refused 0\n',
    );
    const second = '{"id":2,"height":2}\n{"id":3,"height":9}\n{"id":10,"height":1}\n';
    const expected = 'created 1, updated 1, unchanged 1, refused 0, deleted 1';
    expect((await run('b.ndjson', second, '--delete-missing', '--dry-run')).stdout).toBe(
      `records 3: ${expected.replaceAll(/(created|updated|deleted)/g, 'would be $1')}\n`,
    );
    expect((await run('b.ndjson', second, '--delete-missing')).stdout).toBe(`records 3: ${expected}\n`);
    expect((await run('c.csv', 'id,height\n10,1\n11,1\n', '--delete-missing')).stdout).toBe(
      'records 2: created 1, updated 0, unchanged 1, refused 0, deleted 2\n',
    );
    const refused = await run('d.ndjson', '{"id":"10","height":1}\n{"id":9007199254740992,"height":1}\n');
    expect(refused).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('unchanged 0, refused 2') });
  });

  test('diff calls the change to integers a breaking one', async () => {
    await using folder = await temporaryFolder();
    const texts = await writeSampleConfig(join(folder.path, 'texts'));
    const integers = await writeSampleConfig(join(folder.path, 'integers'), { schema });
    const { exitCode, stdout } = await runCommand(['diff', texts, integers]);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('/resources/stations/representations/application~1json#/id: ');
    expect(await runCommand(['diff', integers, integers])).toMatchObject({ exitCode: 0, stdout: '' });
  });

  test('check-config refuses a schema in which ids are of two types, or of any number', async () => {
    await using folder = await temporaryFolder();
    for (const type of [['string', 'integer'], 'number']) {
      const config = await writeSampleConfig(folder.path, { schema: withIds({ type }) });
      expect(await runCommand(['check-config', '--config', config])).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining(
          'resources.stations.id: /id must be a string and nothing else, or an integer and nothing else',
        ),
      });
    }
  });
});

describePostgres('a table with a primary key of whole numbers', () => {
  test('is served with integers as ids', async () => {
    await using folder = await temporaryFolder();
    await using database = postgresSchema();
    const table = `stations_${database.schema}`;
    onTestFinished(() => queryPostgres(`drop table if exists ${table}`).then(() => {}));
    await queryPostgres(`create table ${table} (nr bigserial primary key, height float8 not null)`);
    await queryPostgres(`insert into ${table} (height) values (5), (6)`);
    const environment = { STORE_URL: database.url, ROSTACK__STORE__SCHEMA: database.schema };
    const config = await writeSampleConfig(folder.path, {
      storeUrl: database.url,
      schema,
      sections: `    source: { table: public.${table}, key: nr, columns: [height] }`,
    });
    const command = (...argv: string[]) => runCommand([...argv, '--config', config], { environment });
    expect(await command('attach')).toMatchObject({ exitCode: 0 });
    const token = (await command('token', 'create', '-p', 'me', '-g', 'stations:read')).stdout.trim();
    await using gateway = await startGateway(folder.path, environment);
    const get = (path: string) => gateway.get(path, { headers: bearing(token) });
    expect((await get('/api/stations/2')).body).toEqual({ id: 2, height: 6 });
    expect((await get('/api/stations/02')).status).toBe(404);
    expect((await get('/api/stations')).body).toMatchObject({
      items: [
        { id: 1, height: 5 },
        { id: 2, height: 6 },
      ],
    });
  });
});
