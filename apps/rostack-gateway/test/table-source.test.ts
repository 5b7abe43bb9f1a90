import { readFile, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { describePostgres, type PostgresSchema, postgresSchema, queryPostgres } from 'test-support/postgres';
import { type TemporaryFolder, temporaryFolder } from 'test-support/temporary-folder';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { bearing, get } from './support/get.ts';
import { type CommandResult, runCommand } from './support/run-command.ts';
import { startGateway } from './support/running-gateway.ts';
import { spawnGateway } from './support/spawn-gateway.ts';

const ADMIN_TOKEN = 'correct-horse-battery-staple';
const ADMIN_LISTENER = '{ port: 0, token: { env: ADMIN_TOKEN } }';
const boatSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'name'],
  properties: { id: { type: 'string' }, name: { type: 'string' }, length_m: { type: 'number' } },
};

describePostgres('a resource that comes from a PostgreSQL table', () => {
  let folder: TemporaryFolder;
  let database: PostgresSchema;
  let table: string;
  let environment: Record<string, string>;

  beforeEach(async () => {
    folder = await temporaryFolder();
    database = postgresSchema();
    table = `boats_${database.schema}`;
    environment = { STORE_URL: database.url, ROSTACK__STORE__SCHEMA: database.schema };
    await queryPostgres(
      `create table ${table} (id text primary key, name text not null, length_m float8, secret text)`,
    );
    await queryPostgres(`insert into ${table} values ('a', 'Ara', 12, 'x'), ('b', 'Bada', 30, 'y')`);
    await writeFile(join(folder.path, 'boat.schema.json'), JSON.stringify(boatSchema));
    await writeFile(
      join(folder.path, 'rostack-gateway.yaml'),
      `identity: { id: harbour, name: Harbour, api_version: "1" }
listeners: { data: { port: 0 } }
store: { url: { env: STORE_URL } }
permissions: { boats:read: Read boats. }
resources:
  boats:
    schema: boat.schema.json
    source: { table: public.${table}, key: id, columns: [id, name, length_m] }
    read_permissions: [boats:read]
    sortable: [/id]
    events: { boat.made: { transition: create } }
`,
    );
  });

  afterEach(async () => {
    await queryPostgres(`drop table if exists ${table}`);
    await database[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  const command = (...argv: string[]): Promise<CommandResult> =>
    runCommand([...argv, '--config', join(folder.path, 'rostack-gateway.yaml')], { environment });

  test('attach reads it, start follows it, detach leaves the table as it was', async () => {
    const attached = await command('attach');
    expect(attached).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^boats: public\.\S+ is attached; .*\nboats: the table is read\n$/),
    });
    expect(attached.stderr).toContain(`created the trigger`);
    const again = await command('attach', 'boats');
    expect(again.stdout).toContain('was attached before, in the same way');

    const token = (await command('token', 'create', '-p', 'me', '-g', 'boats:read')).stdout.trim();
    await using gateway = await startGateway(folder.path, environment);
    const list = async () =>
      ((await gateway.get('/api/boats?sort=/id', { headers: bearing(token) })).body as { items: unknown[] })
        .items;
    expect(await list()).toEqual([
      { id: 'a', name: 'Ara', length_m: 12 },
      { id: 'b', name: 'Bada', length_m: 30 },
    ]);
    await queryPostgres(`update ${table} set name = 'Arirang' where id = 'a'`);
    await queryPostgres(`delete from ${table} where id = 'b'`);
    await expect.poll(list).toEqual([{ id: 'a', name: 'Arirang', length_m: 12 }]);
    expect(await gateway.process.stop('SIGTERM')).toBe(0);

    const detached = await command('detach', 'boats');
    expect(detached).toMatchObject({ exitCode: 0, stdout: `boats: public.${table} is detached\n` });
    const triggers = await queryPostgres(
      `select 1 from pg_trigger where tgrelid = 'public.${table}'::regclass`,
    );
    expect(triggers).toEqual([]);
    expect((await command('detach', 'boats')).stdout).toBe('boats: no table is attached\n');
  });

  test('a table whose name needs quotes, by two columns: one id, which URLs hold', async () => {
    const quoted = `"Visits of ""${table}"""`;
    onTestFinished(async () => {
      await queryPostgres(`drop table if exists ${quoted}`);
    });
    await queryPostgres(
      `create table ${quoted} ("Boat, name" text, day date, name text not null, primary key ("Boat, name", day))`,
    );
    await queryPostgres(`insert into ${quoted} values ('Ara/2, ~red', '2026-11-22', 'first')`);
    const file = join(folder.path, 'rostack-gateway.yaml');
    const written = await readFile(file, 'utf8');
    const source = `{ table: 'public.${quoted}', key: ['Boat, name', day], columns: [name] }`;
    await writeFile(
      file,
      written.replace(/source: .*/, () => `source: ${source}`),
    );

    const attached = await command('attach');
    expect(attached).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('the table is read') });
    const token = (await command('token', 'create', '-p', 'me', '-g', 'boats:read')).stdout.trim();
    await using gateway = await startGateway(folder.path, environment);
    const id = 'Ara/2~1 ~0red,2026-11-22';
    for (const segment of [encodeURIComponent(id), encodeURIComponent(id).replace('%2C', ',')]) {
      const { body } = await gateway.get(`/api/boats/${segment}`, { headers: bearing(token) });
      expect(body).toEqual({ id, name: 'first' });
    }
    expect(await gateway.process.stop('SIGTERM')).toBe(0);
    expect((await command('detach', 'boats')).exitCode).toBe(0);
  });

  test('an import is refused: the table alone writes the resource', async () => {
    const file = join(folder.path, 'boats.ndjson');
    await writeFile(file, '{"id":"c","name":"Chuk"}\n');
    const refused = await command('import', 'boats', file);
    expect(refused).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringContaining(`boats comes from the table public.${table}: write to that table`),
    });
  });

  test('operators see how it is followed, and the alarm when its layout changes', async () => {
    expect((await command('attach')).exitCode).toBe(0);
    await using gateway = await startGateway(folder.path, {
      ...environment,
      ADMIN_TOKEN,
      ROSTACK__LISTENERS__ADMIN: ADMIN_LISTENER,
    });
    const [, adminPort] = await gateway.process.prints(/admin listener on port (\d+)/);
    const metrics = async () => {
      const headers = { Authorization: `Bearer ${ADMIN_TOKEN}` };
      return String((await get(`http://127.0.0.1:${adminPort}/metrics`, { headers })).body);
    };
    await expect.poll(metrics).toContain('rostack_table_state{resource="boats",state="following"} 1');
    await queryPostgres(`insert into ${table} values ('c', 'Chuk', 5, 'z')`);
    await expect.poll(metrics).toContain('rostack_table_rows_moved_total{resource="boats"} 1');
    await queryPostgres(`alter table ${table} drop column length_m`);
    await expect.poll(metrics).toContain('rostack_table_state{resource="boats",state="stopped"} 1');
    expect(await metrics()).toContain('rostack_alarms_total{kind="attachment_stopped"} 1');
    const { body } = await get(`http://127.0.0.1:${adminPort}/readyz`, {
      headers: { Authorization: `Bearer ${ADMIN_TOKEN}` },
    });
    expect(body).toMatchObject({
      status: 'ready',
      tables: { boats: { state: 'stopped', reason: expect.stringContaining('length_m') } },
    });
    environment = { ...environment, ADMIN_TOKEN, ROSTACK__LISTENERS__ADMIN: ADMIN_LISTENER };
    const { stdout } = await command('status', '--port', String(adminPort));
    expect(stdout).toMatch(/tables:\n {2}boats {2}stopped: .*length_m.*; /);
    expect(stdout).toMatch(/last alarms:\n {2}\S+Z {2}attachment_stopped: boats is stopped, .*length_m/);
    expect(stdout).toMatch(
      /what to do:\n {2}boats is stopped: .*length_m.*take the change back, or run attach\n$/,
    );
  });

  test('a row that the schema refuses: attach says so, operators see it, the client sees no record', async () => {
    await queryPostgres(`insert into ${table} values ('c', 'Chuk', 'NaN', 'z'), ('d', 'Dol', 'NaN', 'z')`);
    const attached = await command('attach');
    expect(attached).toMatchObject({ exitCode: 3, stdout: expect.stringContaining('the table is read\n') });
    expect(attached.stderr).toMatch(/^error: boats: 2 rows are in quarantine, first "c": .*length_m/m);
    expect((await command('attach')).exitCode).toBe(3);

    const token = (await command('token', 'create', '-p', 'me', '-g', 'boats:read')).stdout.trim();
    await using gateway = await startGateway(folder.path, {
      ...environment,
      ADMIN_TOKEN,
      ROSTACK__LISTENERS__ADMIN: ADMIN_LISTENER,
    });
    const [, adminPort] = await gateway.process.prints(/admin listener on port (\d+)/);
    const admin = async (path: string) => {
      const headers = { Authorization: `Bearer ${ADMIN_TOKEN}` };
      return (await get(`http://127.0.0.1:${adminPort}${path}`, { headers })).body;
    };
    const gauge = 'rostack_table_rows_quarantined{resource="boats"}';
    await expect.poll(() => admin('/metrics')).toContain(`${gauge} 2`);
    expect(await admin('/readyz')).toMatchObject({ status: 'ready', quarantinedRows: { boats: 2 } });

    const ask = async (id: string) => {
      const answer = await gateway.get(`/api/boats/${id}`, { headers: bearing(token) });
      return { ...answer, body: { ...(answer.body as object), request_id: '' }, headers: undefined };
    };
    expect(await ask('c')).toEqual(await ask('nobody'));
    // What is known of the quarantine is up to a second old, so a request may be too early to be told of.
    const told = (): readonly string[] =>
      gateway.process.stderr.split('\n').filter((line) => line.includes('asked for a row in quarantine'));
    await expect.poll(async () => ask('c').then(told), { interval: 200 }).not.toHaveLength(0);
    for (const line of told())
      expect(JSON.parse(line)).toMatchObject({
        resource: 'boats',
        recordId: 'c',
        status: 404,
        requestId: expect.any(String),
        reason: expect.stringContaining('length_m'),
      });

    await queryPostgres(`update ${table} set length_m = 1 where id in ('c', 'd')`);
    await expect.poll(() => admin('/metrics')).toContain(`${gauge} 0`);
    expect(await admin('/readyz')).not.toHaveProperty('quarantinedRows');
    expect((await ask('c')).status).toBe(200);
  });

  test('a store URL without a user means the user of the system, also without the variable USER', async () => {
    const url = new URL(database.url);
    url.username = '';
    const argv = ['token', 'create', '-p', 'me', '-g', 'boats:read'];
    await using created = spawnGateway(argv, {
      folder: folder.path,
      environment: { ...environment, STORE_URL: url.href },
    });
    // Whether the server lets that user in is its own affair.
    const isKnown = new URL(database.url).username === userInfo().username;
    expect(await created.exited()).toBe(isKnown ? 0 : 1);
    expect(created.stderr).not.toContain('no PostgreSQL user name');
  });

  test('a table without one of the columns is refused, with its name', async () => {
    await queryPostgres(`alter table ${table} drop column name`);
    const { exitCode, stderr } = await command('attach');
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^error: public\.\S+ .*\bname\b/m);
  });

  test('a running gateway takes the rows over when only the triggers were made', async () => {
    const token = (await command('token', 'create', '-p', 'me', '-g', 'boats:read')).stdout.trim();
    await using gateway = await startGateway(folder.path, environment);
    const count = async () =>
      ((await gateway.get('/api/boats', { headers: bearing(token) })).body as { items: unknown[] }).items
        .length;
    expect(await count()).toBe(0);
    await gateway.process.prints(/store alarm attachment_stopped: .*boats.*not attached/);
    expect(await command('attach', '--no-load')).toMatchObject({ exitCode: 0 });
    await expect.poll(count).toBe(2);
    const again = await command('attach');
    expect(again).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('is read by a running gateway'),
    });
  });

  test.each([
    [['attach', 'ships'], 'error: ships has no source; resources with one: boats'],
    [['detach'], "missing required argument 'resources'"],
  ])('%j is wrong usage', async (argv, says) => {
    expect(await command(...argv)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(says) });
  });
});
