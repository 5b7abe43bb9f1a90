import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { serve } from '@hono/node-server';
import Sqlite from 'better-sqlite3';
import { Hono } from 'hono';
import { defineImplementation } from 'rostack-core';
import * as rostack from 'rostack-server';
import { openStore } from 'rostack-store';
import { z } from 'zod';

const { PORT = '3000', FILE = 'todos.db' } = process.env;
const implementation = defineImplementation({
  id: 'todos',
  name: 'Todos',
  apiVersion: '1',
  documentationUrl: 'https://todos.example/docs',
  baseUrl: `https://localhost:${PORT}`,
  permissions: { 'todos:read': 'Read todos' },
  resources: {
    todos: {
      model: z.object({ id: z.string(), title: z.string().min(1) }),
      readPermissions: ['todos:read'],
      events: { 'todo.added': { transition: 'create' }, 'todo.done': { transition: 'delete' } },
    },
  },
});
const store = await openStore({ url: `sqlite:${FILE}`, implementation });
const db = new Sqlite(FILE); // The store's own file, so that a row and its change are one commit.
db.exec('create table if not exists todo (id text primary key, title text)');

const add = db.transaction((todo: { id: string; title: string }) => {
  db.prepare('insert into todo values (@id, @title)').run(todo);
  return store.applyWithin(db, [{ resource: 'todos', op: 'put', record: todo }]);
});
const finish = db.transaction((id: string) => {
  db.prepare('delete from todo where id = ?').run(id);
  return store.applyWithin(db, [{ resource: 'todos', op: 'delete', id }]);
});

const app = new Hono();
app.get('/todos', (c) => c.json(db.prepare('select * from todo').all()));
app.post('/todos', async (c) => c.json(add.immediate({ id: randomUUID(), title: await c.req.text() })));
app.delete('/todos/:id', (c) => c.json(finish.immediate(c.req.param('id'))));
app.onError((error, c) =>
  c.text(error.message, 'code' in error && error.code === 'record_invalid' ? 400 : 500),
);
const server = serve({ fetch: app.fetch, port: Number(PORT) });

const { token, tokenId, verifier } = rostack.createSharedToken();
await store.tokens.add({ tokenId, verifier, subject: 'me', grants: ['todos:read'] });
const { principalId, cursorKeys } = rostack.deriveKeys(randomBytes(32));
const service = rostack.serveRostack(server, {
  implementation,
  store,
  authenticators: [rostack.createSharedTokenAuthenticator({ store: store.tokens, principalId })],
  cursorKeys,
});
console.log(`ROSTACK_TOKEN=${token} npx rostack-cli follow http://localhost:${PORT} todos`);

await once(process, 'SIGTERM');
await service.close();
server.close();
db.close();
await store.close();
