import { randomBytes } from 'node:crypto';
import { fastify } from 'fastify';
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
      model: z.object({ id: z.string(), height: z.number() }),
      readPermissions: ['stations:read'],
      events: { 'station.built': { transition: 'create' }, 'station.changed': { transition: 'update' } },
    },
  },
});
const store = await openStore({ url: 'sqlite::memory:', implementation });
const { token, tokenId, verifier } = rostack.createSharedToken();
await store.tokens.add({ tokenId, verifier, subject: 'me', grants: ['stations:read'] });
const { principalId, cursorKeys } = rostack.deriveKeys(randomBytes(32));

const app = fastify();
app.get('/', () => 'The stations are at /api/stations.');
app.post<{ Body: { id: string; height: number } }>('/stations', async ({ body }, reply) => {
  await store.apply([{ resource: 'stations', op: 'put', record: body }]);
  return reply.code(204).send();
});
// Handles its own paths and the upgrades to its gateway; everything else is left to the app.
const service = rostack.serveRostack(app, {
  implementation,
  store,
  authenticators: [rostack.createSharedTokenAuthenticator({ store: store.tokens, principalId })],
  cursorKeys,
});
app.addHook('preClose', () => service.close());
app.addHook('onClose', () => store.close());
await app.listen({ port: Number(PORT) });
console.log(`ROSTACK_TOKEN=${token} npx rostack-cli follow http://localhost:${PORT} stations`);
process.once('SIGTERM', () => void app.close());
