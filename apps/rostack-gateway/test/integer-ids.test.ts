import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from 'test-support/temporary-folder';
import { expect, test } from 'vitest';
import { adminGateway } from './support/admin-gateway.ts';
import { bearing, get } from './support/get.ts';
import { caOf, tokenFor } from './support/observed.ts';
import { runCommand } from './support/run-command.ts';
import { stationSchema, writeSampleConfig } from './support/sample-config.ts';

const schema = { ...stationSchema, properties: { ...stationSchema.properties, id: { type: 'integer' } } };

test('a record whose id is an integer is written, read and deleted at the decimal text of it', async () => {
  await using running = await adminGateway({ schema });
  const created = await running.put({ id: 42, height: 1 }, {}, '42');
  expect(created.status).toBe(201);
  expect(await created.json()).toMatchObject({ id: '42', transition: 'create' });
  const { gateway } = running;
  const read = { ca: caOf(gateway), headers: bearing(await tokenFor(gateway)) };
  expect((await get(`${gateway.url}/api/stations/42`, read)).body).toEqual({ id: 42, height: 1 });
  for (const path of ['042', '42.0', '43']) {
    expect((await get(`${gateway.url}/api/stations/${path}`, read)).status).toBe(404);
    const other = await running.put({ id: 42, height: 2 }, {}, path);
    expect(await other.json()).toMatchObject({ status: 400, code: 'request_invalid' });
    expect(await (await running.remove(path)).json()).toMatchObject({ id: path, changed: false });
  }
  const text = await running.put({ id: '42', height: 2 }, {}, '42');
  expect(await text.json()).toMatchObject({ code: 'record_invalid', pointer: '/id' });
  expect(await (await running.remove('42', { 'If-Match': '*' })).json()).toMatchObject({ changed: true });
  expect(await running.stored('42')).toBe('gone');
});

test('import writes NDJSON and CSV, and deletes what is missing, where ids are integers', async () => {
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
