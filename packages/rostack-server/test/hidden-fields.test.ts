import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { DefinitionError, defineImplementation, type JsonObject, type JsonSchema } from 'rostack-core';
import {
  attachWebSocketGateway,
  createPrincipalIdDeriver,
  createRostackApp,
  createSharedToken,
  createSharedTokenAuthenticator,
  MemorySharedTokenStore,
} from 'rostack-server';
import { openStore, type Store } from 'rostack-store';
import { thrownBy } from 'test-support/thrown-by';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { CURSOR_KEYS } from './support/cursor-keys.ts';
import { GatewayClient } from './support/gateway-client.ts';

const WHOLE = 'application/vnd.people.whole+json';
const CARD = 'application/vnd.people.card+json';
const READ = ['people:read'];
const ALL = ['people:read', 'people:private'];

const Pay = z.strictObject({ grade: z.string(), bonus: z.number().optional() });
const Person = z.strictObject({ id: z.string(), name: z.string(), salary: z.number(), pay: Pay });

const identity = {
  id: 'people',
  name: 'People',
  apiVersion: '1',
  documentationUrl: 'https://people.example',
  baseUrl: 'https://people.example',
  permissions: { 'people:read': 'Read people', 'people:private': 'Read what people earn' },
};

const definePeople = () =>
  defineImplementation({
    ...identity,
    resources: {
      people: {
        model: Person,
        readPermissions: ['people:read'],
        filterable: { '/name': 'all', '/salary': 'all', '/pay/bonus': 'all' },
        sortable: ['/name', '/salary'],
        hidden: { '/salary': ['people:private'], '/pay/bonus': ['people:private'] },
        events: {
          'person.created': { transition: 'create' },
          'person.updated': {
            transition: 'update',
            carries: {
              model: z.strictObject({ seen: z.string() }),
              project: ({ before, after }) => ({ seen: JSON.stringify([before, after]) }),
            },
          },
          'person.deleted': { transition: 'delete' },
        },
        representations: [
          { mediaType: WHOLE, model: Person, permissions: ['people:private'] },
          { mediaType: CARD, model: z.strictObject({ seen: z.string() }) },
        ],
      },
    },
  });

async function startPeople() {
  const implementation = definePeople();
  const { schemas } = implementation;
  const store: Store = await openStore({ url: 'sqlite::memory:', implementation });
  const tokens = new MemorySharedTokenStore();
  const authenticators = [
    createSharedTokenAuthenticator({
      store: tokens,
      principalId: createPrincipalIdDeriver(new Uint8Array(32)),
      cacheMs: 0,
    }),
  ];
  const app = createRostackApp({
    implementation,
    sources: () => store.source('people'),
    authenticators,
    cursorKeys: CURSOR_KEYS,
    hosts: 'any',
    renderers: {
      people: { [WHOLE]: (record) => record, [CARD]: (record) => ({ seen: JSON.stringify(record) }) },
    },
  });
  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const server = createServer((request, response) => void answer(request, response));
  const gateway = attachWebSocketGateway(server, {
    implementation,
    sources: () => store.source('people'),
    authenticators,
    cursorKeys: CURSOR_KEYS,
    hosts: 'any',
    recheckIntervalMs: 100,
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    schemas,
    issue(grants: readonly string[], before = createSharedToken()) {
      const { token, tokenId, verifier } = before;
      tokens.put({ tokenId, verifier, subject: 'someone', grants });
      return { token, tokenId, verifier };
    },
    async ask(path: string, token: string, accept = '*/*') {
      const response = await fetch(`http://127.0.0.1:${port}/api/people${path}`, {
        headers: { authorization: `Rostack-Token ${token}`, accept },
      });
      const type = response.headers.get('content-type');
      const etag = response.headers.get('etag');
      return { status: response.status, type, etag, body: (await response.json()) as JsonObject };
    },
    async follow(token: string): Promise<GatewayClient> {
      const client = await GatewayClient.connect(`ws://127.0.0.1:${port}/gateway`);
      await client.authenticate(token);
      return client;
    },
    put: (...records: readonly JsonObject[]) =>
      store.apply(records.map((record) => ({ op: 'put', resource: 'people', record }))),
    remove: (id: string) => store.apply([{ op: 'delete', resource: 'people', id }]),
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await store[Symbol.asyncDispose]();
    },
  };
}

const ada = { id: 'ada', name: 'Ada', salary: 7_000, pay: { grade: 'A', bonus: 500 } };
const shownAda = { id: 'ada', name: 'Ada', pay: { grade: 'A' } };
const filter = (value: object) => `?filter=${encodeURIComponent(JSON.stringify(value))}`;

test('application/json is without hidden fields, for everybody, and its schema too', async () => {
  await using people = await startPeople();
  await people.put(ada);
  for (const grants of [READ, ALL]) {
    const { token } = people.issue(grants);
    expect(await people.ask('/ada', token)).toMatchObject({ type: 'application/json', body: shownAda });
    expect((await people.ask('', token)).body.items).toEqual([shownAda]);
    expect((await people.ask('/ada?fields=/pay', token)).body).toEqual({ pay: { grade: 'A' } });
    expect((await people.ask('/ada?fields=/salary', token)).body).toMatchObject({ title: 'Invalid fields' });
    const card = (await people.ask('/ada', token, CARD)).body;
    expect(card).toEqual({ seen: JSON.stringify(shownAda) });
  }
  const { representations } = definePeople().discovery.resources[0] ?? { representations: [] };
  const schemas = representations.map(({ schema_url: url }) => JSON.stringify(people.schemas.get(url)));
  expect(schemas.map((schema) => /salary|bonus/.test(schema))).toEqual([false, true, false]);
});

test('the whole record is a representation of its own, for those who have its permission', async () => {
  await using people = await startPeople();
  await people.put(ada);
  const some = people.issue(READ).token;
  const all = people.issue(ALL).token;
  expect(await people.ask('/ada', all, WHOLE)).toMatchObject({ status: 200, type: WHOLE, body: ada });
  expect((await people.ask('', all, WHOLE)).body.items).toEqual([ada]);
  expect((await people.ask('/ada?fields=/salary', all, WHOLE)).body).toEqual({ salary: 7_000 });
  for (const path of ['', '/ada', '/nobody']) {
    expect(await people.ask(path, some, WHOLE)).toMatchObject({
      status: 403,
      body: { title: 'Permission denied', detail: expect.stringContaining('people:private') },
    });
  }
  expect(await people.ask('/ada', some, `${WHOLE}, application/json;q=0.1`)).toMatchObject({
    body: shownAda,
  });
  expect(await people.ask('/ada', all, `${WHOLE}, application/json;q=0.1`)).toMatchObject({ body: ada });
  for (const accept of ['*/*', 'application/*']) {
    expect(await people.ask('/ada', some, accept)).toMatchObject({ type: 'application/json' });
  }
  expect(await people.ask('/ada', some, 'text/html')).toMatchObject({ status: 406 });
});

test('a representation shows a field that needs several permissions only if it asks for all of them', async () => {
  const Seen = z.strictObject({ seen: z.string() });
  const implementation = defineImplementation({
    ...identity,
    permissions: { ...identity.permissions, 'people:pay': 'Read pay' },
    resources: {
      people: {
        model: Person,
        readPermissions: ['people:read'],
        hidden: { '/salary': ['people:private', 'people:pay'] },
        representations: [
          { mediaType: CARD, model: Seen, permissions: ['people:private'] },
          { mediaType: WHOLE, model: Seen, permissions: ['people:private', 'people:pay'] },
        ],
      },
    },
  });
  await using store = await openStore({ url: 'sqlite::memory:', implementation });
  const { token, tokenId, verifier } = createSharedToken();
  const grants = [...ALL, 'people:pay'];
  const seen = (record: object) => ({ seen: JSON.stringify(record) });
  const app = createRostackApp({
    implementation,
    sources: () => store.source('people'),
    authenticators: [
      createSharedTokenAuthenticator({
        store: new MemorySharedTokenStore([{ tokenId, verifier, subject: 'someone', grants }]),
        principalId: createPrincipalIdDeriver(new Uint8Array(32)),
      }),
    ],
    cursorKeys: CURSOR_KEYS,
    hosts: 'any',
    renderers: { people: { [CARD]: seen, [WHOLE]: seen } },
  });
  await store.apply([{ op: 'put', resource: 'people', record: ada }]);
  const { salary: _salary, ...rest } = ada;
  for (const [accept, shown] of [
    [CARD, rest],
    [WHOLE, ada],
  ] as const) {
    const headers = { authorization: `Rostack-Token ${token}`, accept };
    const response = await app.request('https://people.example/api/people/ada', { headers });
    expect(JSON.parse(((await response.json()) as { seen: string }).seen)).toEqual(shown);
  }
});

test('who lacks the permission neither filters nor sorts by them, also not from memory or along a chain', async () => {
  await using people = await startPeople();
  await people.put(ada, { ...ada, id: 'bob', salary: 3_000 });
  const issued = people.issue(ALL);
  const queries = [
    filter({ '/salary': { gt: 5_000 } }),
    filter({ $or: [{ '/name': { eq: 'x' } }, { $not: { '/pay/bonus': { lt: 100 } } }] }),
    '?sort=-/salary',
  ];
  const chained = await people.ask('?sort=/salary&limit=1', issued.token);
  for (const query of queries) {
    for (let times = 0; times < 3; times += 1) {
      expect(await people.ask(query, issued.token)).toMatchObject({ status: 200 });
    }
  }
  people.issue(READ, issued);
  const { next_cursor: next } = chained.body.page as { next_cursor: string };
  for (const query of [...queries, `?sort=/salary&limit=1&cursor=${next}`]) {
    expect(await people.ask(query, issued.token)).toMatchObject({
      status: 403,
      body: {
        detail: expect.stringMatching(/by \/(salary|pay\/bonus) needs the permissions people:private/),
      },
    });
  }
  expect(await people.ask('?sort=/name', issued.token)).toMatchObject({ status: 200 });
});

test('a kept page depends on which permissions its reader has, not on how many', async () => {
  const implementation = defineImplementation({
    ...identity,
    permissions: { ...identity.permissions, 'people:pay': 'Read bonuses' },
    resources: {
      people: {
        model: Person,
        readPermissions: ['people:read'],
        filterable: { '/salary': 'all' },
        hidden: { '/salary': ['people:private'], '/pay/bonus': ['people:pay'] },
      },
    },
  });
  await using store = await openStore({ url: 'sqlite::memory:', implementation });
  const principalId = createPrincipalIdDeriver(new Uint8Array(32));
  const tokens = new MemorySharedTokenStore();
  const app = createRostackApp({
    implementation,
    sources: () => store.source('people'),
    authenticators: [createSharedTokenAuthenticator({ store: tokens, principalId, cacheMs: 0 })],
    cursorKeys: CURSOR_KEYS,
    hosts: 'any',
  });
  const { token, ...issued } = createSharedToken();
  const url = `https://people.example/api/people${filter({ '/salary': { gt: 1 } })}`;
  const ask = async (grant: string) => {
    tokens.put({ ...issued, subject: 'someone', grants: [...READ, grant] });
    return (await app.request(url, { headers: { authorization: `Rostack-Token ${token}` } })).status;
  };
  for (let times = 0; times < 3; times += 1) expect(await ask('people:private')).toBe(200);
  expect(await ask('people:pay')).toBe(403);
});

test('events carry none of them, whatever their data is made of', async () => {
  await using people = await startPeople();
  await using client = await people.follow(people.issue(ALL).token);
  await client.subscribe('s', 'people');
  await people.put(ada);
  await people.put({ ...ada, name: 'Ada L.' });
  await people.remove('ada');
  await client.until(() => client.events.length === 3);
  const [created, updated, deleted] = client.events.map(({ data }) => data);
  expect(created).toEqual(shownAda);
  expect(JSON.parse((updated as { seen: string }).seen)).toEqual([shownAda, { ...shownAda, name: 'Ada L.' }]);
  expect(deleted).toEqual({ ...shownAda, name: 'Ada L.' });
  expect(client.frames.join()).not.toMatch(/salary|bonus/);
});

test('a subscription by a hidden field needs the permission, as long as it lasts', async () => {
  await using people = await startPeople();
  const issued = people.issue(ALL);
  await using client = await people.follow(issued.token);
  await client.subscribe('paid', 'people', { filter: { '/salary': { gt: 5_000 } } });
  await client.subscribe('named', 'people', { filter: { '/name': { eq: 'Ada' } } });
  people.issue(READ, issued);
  expect(await client.next('error')).toMatchObject({ code: 'permission_revoked', subscription_id: 'paid' });
  client.send({
    type: 'subscribe',
    subscription_id: 'again',
    resource: 'people',
    filter: { '/pay/bonus': { exists: true } },
  });
  expect(await client.next('error')).toMatchObject({ code: 'permission_denied', subscription_id: 'again' });
  await people.put(ada);
  expect(await client.next('event')).toMatchObject({ subscription_id: 'named' });
});

test('two worlds that differ in hidden fields alone look the same to whoever lacks the permission', async () => {
  await using rich = await startPeople();
  await using poor = await startPeople();
  const names = ['Ada', 'Bob', 'Eve', 'Kim'];
  const record = (name: string, salary: number, pay: JsonObject): JsonObject => ({
    id: name,
    name,
    salary,
    pay,
  });
  await rich.put(...names.map((name, at) => record(name, 9_000 - at, { grade: 'A', bonus: at })));
  await poor.put(...names.map((name, at) => record(name, at, { grade: 'A' })));
  const fields = ['/salary', '/pay', '/pay/bonus', '/name'];
  const operators = [{ eq: 1 }, { gt: 1 }, { exists: true }, { ne: 5 }, { in: [0, 1] }];
  const requests = [
    '',
    '/Ada',
    '/nobody',
    ...fields.flatMap((field) => operators.map((operator) => filter({ [field]: operator }))),
    ...fields.flatMap((field) => [
      `?sort=${field}`,
      `?sort=-${field}`,
      `?fields=${field}`,
      `/Ada?fields=${field}`,
    ]),
  ];
  const [one, other] = [rich.issue(READ).token, poor.issue(READ).token];
  for (const accept of ['*/*', WHOLE, CARD]) {
    for (const request of requests) {
      const answers = await Promise.all([rich.ask(request, one, accept), poor.ask(request, other, accept)]);
      const [first, second] = answers.map(({ status, type, body }) => {
        const { request_id: _, page: __, ...rest } = body;
        return { status, type, rest };
      });
      expect(first, `${request} as ${accept}`).toEqual(second);
    }
  }
});

describe('a definition is refused', () => {
  const person = (schema: JsonSchema, hidden: Record<string, string[]>) =>
    thrownBy(() =>
      defineImplementation({
        ...identity,
        resources: { people: { model: schema, readPermissions: ['people:read'], hidden: hidden as never } },
      }),
    );
  const closed = (properties: JsonSchema, more: JsonSchema = {}): JsonSchema => ({
    type: 'object',
    properties: { id: { type: 'string' }, ...properties },
    required: ['id'],
    additionalProperties: false,
    ...more,
  });
  const number = { type: 'number' };
  const needed = ['people:private'];

  test.each<[string, JsonSchema, Record<string, string[]>, string, RegExp]>([
    ['that hides the id', closed({}), { '/id': needed }, '/hidden/~1id', /contains the id/],
    ['that hides no field', closed({}), { '/pay': needed }, '/hidden/~1pay', /is not a field/],
    ['that hides no pointer', closed({}), { pay: needed }, '/hidden/pay', /JSON Pointer/],
    [
      'by a permission that nobody declared',
      closed({ pay: number }),
      { '/pay': ['people:pay'] },
      '/hidden/~1pay/0',
      /must be listed/,
    ],
    [
      'where other keywords may need the field',
      closed({ pay: number }, { anyOf: [{ required: ['pay'] }, { required: ['id'] }] }),
      { '/pay': needed },
      '/hidden/~1pay',
      /described by anyOf/,
    ],
  ])('%s', (_, schema, hidden, path, message) => {
    const error = person(schema, hidden);
    expect(error).toBeInstanceOf(DefinitionError);
    expect((error as DefinitionError).faults).toContainEqual(
      expect.objectContaining({ path: `/resources/people${path}`, message: expect.stringMatching(message) }),
    );
  });
});
