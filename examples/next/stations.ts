import { defineImplementation } from 'rostack-core';
import * as server from 'rostack-server';
import { openStore } from 'rostack-store';
import { z } from 'zod';

const { BASE_URL = 'https://localhost:3000', ROSTACK_TOKEN = '', ROSTACK_SECRET = '' } = process.env;
const implementation = defineImplementation({
  id: 'stations',
  name: 'Stations',
  apiVersion: '1',
  documentationUrl: 'https://stations.example/docs',
  baseUrl: BASE_URL,
  permissions: { 'stations:read': 'Read stations' },
  resources: {
    // No events: Next hands upgrades to nobody, so that there is no WebSocket to follow them on.
    stations: {
      model: z.object({ id: z.string(), height: z.number() }),
      readPermissions: ['stations:read'],
      sortable: ['/height'],
    },
  },
});
const store = await openStore({ url: 'sqlite::memory:', implementation });
await store.apply([
  { resource: 'stations', op: 'put', record: { id: 'seoul', height: 86 } },
  { resource: 'stations', op: 'put', record: { id: 'jeju', height: 20 } },
]);
const tokenId = server.parseSharedToken(ROSTACK_TOKEN);
if (tokenId === undefined)
  throw new Error('Set ROSTACK_TOKEN: `createSharedToken().token` of rostack-server makes one.');
await store.tokens.add({
  tokenId,
  verifier: server.verifierOf(ROSTACK_TOKEN),
  subject: 'me',
  grants: ['stations:read'],
});
// Several processes of one deployment need the same secret: at least 32 random characters.
const { principalId, cursorKeys } = server.deriveKeys(ROSTACK_SECRET);
export const rostack = server.createRouteHandlers({
  implementation,
  store,
  authenticators: [server.createSharedTokenAuthenticator({ store: store.tokens, principalId })],
  cursorKeys,
});
