import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describePythonWebSocket, PYTHON_WITH_WEBSOCKET } from 'test-support/python';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blockOf, ROOT, TaskServer } from './support/task-server.ts';

let server: TaskServer;

beforeAll(async () => {
  server = await TaskServer.start();
});
afterAll(() => server[Symbol.asyncDispose]());

describe('the page about following', () => {
  test('follows in Node, and goes on from its file at the next start', async () => {
    const program = await blockOf('follow.md', 'js follow.mjs');
    const client = `file://${ROOT}/packages/rostack-client/dist`;
    await writeFile(
      join(server.folder, 'follow.mjs'),
      program
        .replaceAll('8080', server.port)
        .replace("'rostack-client'", `'${client}/index.js'`)
        .replace("'rostack-client/node'", `'${client}/node/index.js'`),
    );
    {
      await using first = server.run(process.execPath, ['follow.mjs']);
      await first.prints('live');
      server.write("update stations set celsius = 6 where name = 'Busan'");
      await first.prints("updated { id: 2, name: 'Busan', celsius: 6, status: 'online' }");
    }
    await using second = server.run(process.execPath, ['follow.mjs']);
    expect(await second.prints('live')).toContain('snapshot restored 3');
  });
});

describePythonWebSocket('the client of the page about clients', () => {
  test('is the one of the example; it follows, and goes on after the gateway was away', async () => {
    const program = await blockOf('write-a-client.md', 'python follow.py');
    expect(program).toBe(await readFile(join(ROOT, 'examples/python/follow.py'), 'utf8'));
    await writeFile(join(server.folder, 'follow.py'), program);
    await using running = server.run(PYTHON_WITH_WEBSOCKET, [
      'follow.py',
      `http://localhost:${server.port}`,
      'stations',
    ]);
    await running.prints('snapshot 3');
    server.write("update stations set celsius = 7 where name = 'Jeju'");
    await running.prints('stations.updated 3 {"id": 3, "name": "Jeju", "celsius": 7, "status": "online"}');
    await server.kill();
    server.write("delete from stations where name = 'Jeju'");
    server.serve();
    await running.prints('stations.deleted 3');
  });
});

test('the unit of the page about partners is the one of the example', async () => {
  const unit = await readFile(join(ROOT, 'examples/systemd/rostack-gateway.service'), 'utf8');
  expect(await blockOf('go-public.md', 'ini rostack-gateway.service')).toBe(unit);
});
