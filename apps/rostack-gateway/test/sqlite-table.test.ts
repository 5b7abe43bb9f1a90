import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { temporaryFolder } from 'test-support/temporary-folder';
import { expect, test } from 'vitest';
import { bearing } from './support/get.ts';
import { runCommand } from './support/run-command.ts';
import { startGateway } from './support/running-gateway.ts';

test('a resource comes from a table in the file of SQLite: attach reads it, start follows it, detach leaves it', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'harbour.db');
  const app = new Sqlite(file, { timeout: 20_000 });
  try {
    app.exec(`create table boats (id text primary key, name text not null, length_m real, secret text);
      insert into boats values ('a', 'Ara', 12, 'x'), ('b', 'Bada', 30, 'y')`);
    const schema = {
      type: 'object',
      additionalProperties: false,
      required: ['id', 'name'],
      properties: {
        id: { type: 'string' },
        name: { type: 'string', maxLength: 10 },
        length_m: { type: 'number' },
      },
    };
    await writeFile(join(folder.path, 'boat.schema.json'), JSON.stringify(schema));
    await writeFile(
      join(folder.path, 'rostack-gateway.yaml'),
      `identity: { id: harbour, name: Harbour, api_version: "1" }
listeners: { data: { port: 0 } }
store: { url: "sqlite:${file}" }
permissions: { boats:read: Read boats. }
resources:
  boats:
    schema: boat.schema.json
    source: { table: boats, key: id, columns: [id, name, length_m] }
    read_permissions: [boats:read]
    sortable: [/id]
    events: { boat.made: { transition: create } }
`,
    );
    const command = (...argv: string[]) =>
      runCommand([...argv, '--config', join(folder.path, 'rostack-gateway.yaml')], {});
    expect(await command('attach')).toMatchObject({
      exitCode: 0,
      stdout:
        'boats: main.boats is attached; id (id TEXT), name (name TEXT), length_m (length_m REAL)\nboats: the table is read\n',
      stderr: expect.stringContaining('created the trigger') as string,
    });
    const token = (await command('token', 'create', '-p', 'me', '-g', 'boats:read')).stdout.trim();
    await using gateway = await startGateway(folder.path, {});
    const list = async () =>
      ((await gateway.get('/api/boats?sort=/id', { headers: bearing(token) })).body as { items: unknown[] })
        .items;
    expect(await list()).toEqual([
      { id: 'a', name: 'Ara', length_m: 12 },
      { id: 'b', name: 'Bada', length_m: 30 },
    ]);
    app.exec(`begin; update boats set name = 'Arirang' where id = 'a'; delete from boats where id = 'b';
      insert into boats values ('c', 'far too long a name', 1, 'z'); commit`);
    await expect.poll(list).toEqual([{ id: 'a', name: 'Arirang', length_m: 12 }]);
    expect(await gateway.process.stop('SIGTERM')).toBe(0);
    expect(await command('attach')).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining('boats: 1 row is in quarantine, first "c"') as string,
    });
    expect(await command('detach', 'boats')).toMatchObject({
      exitCode: 0,
      stdout: 'boats: main.boats is detached\n',
    });
    const left = app.prepare(`select name from sqlite_schema where type = 'trigger'`).all();
    expect(left).toEqual([]);
  } finally {
    app.close();
  }
});
