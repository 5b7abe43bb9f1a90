import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { defineImplementation } from 'rostack-core';
import { createExplorer } from 'rostack-explorer';
import { createSharedToken, createSharedTokenAuthenticator, deriveKeys, serveRostack } from 'rostack-server';
import { openStore } from 'rostack-store';
import { z } from 'zod';

const { PORT = '3000', FILE = 'data.db', ROSTACK_SECRET = '' } = process.env;
const TOKEN_LIFE_MS = 24 * 3_600_000;

// What consumers see: resources, their records, and who may read them.
const implementation = defineImplementation({
  id: 'notes',
  name: 'Notes',
  apiVersion: '1',
  baseUrl: `https://localhost:${PORT}`,
  documentationUrl: `https://localhost:${PORT}/`,
  permissions: { 'notes:read': 'Read and follow notes.' },
  resources: {
    notes: {
      model: z.object({ id: z.string(), text: z.string().min(1), made_at: z.iso.datetime() }),
      readPermissions: ['notes:read'],
      filterable: { '/text': 'all', '/made_at': 'all' },
      sortable: ['/made_at'],
      events: { 'note.made': { transition: 'create' }, 'note.removed': { transition: 'delete' } },
    },
  },
});
const store = await openStore({ url: `sqlite:${FILE}`, implementation });

// How records get in: your own routes, jobs or imports call `store.apply`.
const app = new Hono();
app.post('/notes', async (c) => {
  const record = { id: randomUUID(), text: await c.req.text(), made_at: new Date().toISOString() };
  await store.apply([{ resource: 'notes', op: 'put', record }]);
  return c.json(record, 201);
});
app.delete('/notes/:id', async (c) => {
  await store.apply([{ resource: 'notes', op: 'delete', id: c.req.param('id') }]);
  return c.body(null, 204);
});
app.onError((error, c) => {
  const isRefused = 'code' in error && error.code === 'record_invalid';
  return c.text(isRefused ? error.message : 'This did not work.', isRefused ? 400 : 500);
});
app.route('/', createExplorer({ implementation }));

// For this computer only: before others may come, put TLS in front, and a check of who may write.
const server = serve({ fetch: app.fetch, port: Number(PORT), hostname: 'localhost' });
const { principalId, cursorKeys } = deriveKeys(ROSTACK_SECRET);
const service = serveRostack(server, {
  implementation,
  store,
  authenticators: [createSharedTokenAuthenticator({ store: store.tokens, principalId })],
  cursorKeys,
});

// A token to try it out with; partners get their own, which stay valid until you revoke them.
const { token, tokenId, verifier } = createSharedToken();
const expiresAtMs = Date.now() + TOKEN_LIFE_MS;
await store.tokens.add({ tokenId, verifier, subject: 'me', grants: ['notes:read'], expiresAtMs });
console.log(`Live in your browser: http://localhost:${PORT}/#token=${token}&view=live
Make a note:          curl -d 'Buy kimchi' http://localhost:${PORT}/notes
Follow in a shell:    ROSTACK_TOKEN=${token} npx rostack-cli follow http://localhost:${PORT} notes`);

await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
await service.close();
server.close();
await store.close();
