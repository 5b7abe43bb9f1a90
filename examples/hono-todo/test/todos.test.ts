import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { connect } from 'rostack-client';

const { PORT = '3000' } = process.env;
const url = `http://localhost:${PORT}`;
const folder = mkdtempSync(join(tmpdir(), 'hono-todo-'));
const program = spawn(process.execPath, ['src/main.ts'], {
  stdio: ['ignore', 'pipe', 'inherit'],
  env: { ...process.env, PORT, FILE: join(folder, 'todos.db') },
});
let token = '';

before(async () => {
  const [line] = await once(createInterface(program.stdout), 'line');
  token = /ROSTACK_TOKEN=(\S+)/.exec(line)?.[1] ?? '';
});

after(async () => {
  const ended = once(program, 'exit');
  program.kill();
  assert.deepEqual(await ended, [0, null]);
  rmSync(folder, { recursive: true });
});

test('what is written to the table is followed, and what is refused is in neither', async () => {
  await using client = await connect(url, { method: 'shared_token', token }, { allowInsecureLoopback: true });
  await using follow = client.follow<{ id: string; title: string }>('todos');
  const changes = follow[Symbol.asyncIterator]();
  const next = async () => (await changes.next()).value;
  assert.equal((await next())?.kind, 'snapshot');
  assert.equal((await next())?.kind, 'live');

  const refused = await fetch(`${url}/todos`, { method: 'POST', body: '' });
  assert.equal(refused.status, 400);
  assert.match(await refused.text(), /title/);
  assert.equal((await fetch(`${url}/todos`, { method: 'POST', body: 'Buy kimchi' })).status, 200);

  const created = await next();
  assert(created?.kind === 'created');
  assert.equal(created.record.title, 'Buy kimchi');
  assert.deepEqual(await (await fetch(`${url}/todos`)).json(), [created.record]);

  await fetch(`${url}/todos/${created.id}`, { method: 'DELETE' });
  const deleted = await next();
  assert(deleted?.kind === 'deleted');
  assert.equal(deleted.id, created.id);
  assert.deepEqual(await (await fetch(`${url}/todos`)).json(), []);
});
