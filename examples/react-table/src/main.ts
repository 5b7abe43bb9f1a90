import { randomBytes } from 'node:crypto';
import { serve } from '@hono/node-server';
import { build } from 'esbuild';
import { Hono } from 'hono';
import { defineImplementation } from 'rostack-core';
import * as rostack from 'rostack-server';
import { openStore } from 'rostack-store';
import { z } from 'zod';

const { PORT = '3000' } = process.env;
const implementation = defineImplementation({
  id: 'stations',
  name: 'Stations',
  apiVersion: '1',
  documentationUrl: 'https://stations.example/docs',
  baseUrl: `https://localhost:${PORT}`,
  permissions: { 'stations:read': 'Read stations' },
  resources: {
    stations: {
      model: z.object({ id: z.string(), wind: z.number() }),
      readPermissions: ['stations:read'],
      sortable: ['/wind'],
      events: { 'station.built': { transition: 'create' }, 'station.changed': { transition: 'update' } },
    },
  },
});
const store = await openStore({ url: 'sqlite::memory:', implementation });
const { token, tokenId, verifier } = rostack.createSharedToken();
await store.tokens.add({ tokenId, verifier, subject: 'me', grants: ['stations:read'] });
const { principalId, cursorKeys } = rostack.deriveKeys(randomBytes(32));
const authenticators = [rostack.createSharedTokenAuthenticator({ store: store.tokens, principalId })];

const built = await build({ entryPoints: ['src/page.tsx'], bundle: true, format: 'esm', write: false });
const html = `<table><tbody></tbody></table><style>.restored { color: gray }</style><script type="module">${built.outputFiles[0]?.text}</script>`;
const app = new Hono();
app.get('/', (c) => c.html(`<!doctype html><title>Stations</title>${html}`));
app.post('/stations', async (c) =>
  c.json(await store.apply([{ resource: 'stations', op: 'put', record: await c.req.json() }])),
);
const server = serve({ fetch: app.fetch, port: Number(PORT) });
rostack.serveRostack(server, { implementation, store, authenticators, cursorKeys });
console.log(`Open http://localhost:${PORT}/#${token}`);
