import { defineImplementation } from 'rostack-core';
import { expect, test } from 'vitest';
import { describeImplementation } from './describe-implementation.ts';

test('an implementation unlike the sample: another id, other origins, no events, OAuth', () => {
  const implementation = defineImplementation({
    id: 'i',
    name: 'I',
    apiVersion: '1',
    documentationUrl: 'https://docs.example/',
    baseUrl: 'https://a.example/data',
    urls: { jsonApi: 'https://api.example/v1' },
    authentication: {
      oauth2: { metadataUrl: 'https://login.example/.well-known/oauth-authorization-server' },
    },
    permissions: { 'things:read': 'Read.' },
    resources: {
      things: {
        model: {
          type: 'object',
          additionalProperties: false,
          required: ['meta', 'size-cm'],
          properties: {
            meta: {
              type: 'object',
              additionalProperties: false,
              required: ['key'],
              properties: { key: { type: 'string' } },
            },
            'size-cm': { type: 'number' },
          },
        },
        id: '/meta/key',
        readPermissions: ['things:read'],
      },
    },
  });
  const [things] = describeImplementation(implementation).resources;
  expect(things?.client).toBe(`import { connect } from 'rostack-client';

const client = await connect('https://a.example/.well-known/rostack', {
  method: 'oauth2',
  token: process.env.ROSTACK_TOKEN,
}, { trustedOrigins: ['https://api.example'] });

// Every record that matches, page by page in one consistent snapshot.
let firstId;
for await (const record of client.list('things')) {
  firstId ??= record.meta.key;
  console.log(record.meta.key, record['size-cm']);
}

// One record, with the entity tag of its revision.
if (firstId !== undefined) {
  const item = await client.get('things', firstId);
  if (item.kind === 'found') console.log(item.etag, item.record);
}

await client.close();
`);
  expect(things?.curl.list).toBe(
    `curl --get 'https://api.example/v1/things' \\\n  -H "Authorization: Bearer $ROSTACK_TOKEN" \\\n  --data-urlencode 'limit=3'`,
  );
});
