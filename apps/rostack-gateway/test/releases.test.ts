import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { detectRelease, parseDiscovery, RELEASES, type Release, SUBPROTOCOL } from 'rostack-core';
import { temporaryFolder } from 'test-support/temporary-folder';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createGateway, createToken, type Gateway, loadConfig } from '../src/index.ts';
import { bearing } from './support/get.ts';

const app = resolve(import.meta.dirname, '..');

/** The faults of a value by a schema file of a release, formats included. */
function schemasOf(release: Release): (file: string, value: unknown) => readonly object[] {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  return (file, value) => {
    const path = resolve(app, `../../schemas/rostack_v1/releases/${release}/${file}.schema.json`);
    const schema = JSON.parse(readFileSync(path, 'utf8')) as { readonly $id: string };
    const validate = ajv.getSchema(schema.$id) ?? ajv.compile(schema);
    return validate(value) === true ? [] : (validate.errors ?? []);
  };
}

interface Serving extends AsyncDisposable {
  readonly gateway: Gateway;
  readonly token: string;
}

/** The sample observatory, of the release that its configuration says. */
async function serve(release?: Release): Promise<Serving> {
  const folder = await temporaryFolder();
  const serving = await serveFrom(folder.path, release);
  return {
    ...serving,
    async [Symbol.asyncDispose]() {
      await serving[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

async function serveFrom(dataDir: string, release: Release | undefined): Promise<Serving> {
  const config = await loadConfig(join(app, 'examples/observatory/rostack-gateway.yaml'), {
    environment: {
      ROSTACK__LISTENERS__DATA__PORT: '0',
      ROSTACK__DATA_DIR: dataDir,
      ...(release !== undefined && { ROSTACK__PROTOCOL__RELEASE: release }),
    },
  });
  const gateway = await createGateway(config);
  const grants = Object.keys(config.permissions);
  const { token } = await createToken(gateway.store.tokens, { subject: 'me', grants });
  return {
    gateway,
    token,
    [Symbol.asyncDispose]: () => gateway.close({ drainTimeoutMs: 0 }),
  };
}

/** Sends each message after the answer to the one before it; returns the answers. */
async function converse(serving: Serving, ...messages: readonly object[]): Promise<unknown[]> {
  const url = serving.gateway.url.replace('https:', 'wss:');
  const socket = new WebSocket(`${url}/gateway`, SUBPROTOCOL, { rejectUnauthorized: false });
  const waiting = [...messages];
  const answers: unknown[] = [];
  const sendNext = () => {
    const message = waiting.shift();
    if (message === undefined) socket.close();
    else socket.send(JSON.stringify(message));
  };
  await new Promise<void>((done, fail) => {
    socket.on('open', sendNext).on('error', fail).on('close', done);
    socket.on('message', (data: Buffer) => {
      answers.push(JSON.parse(data.toString()));
      sendNext();
    });
  });
  return answers;
}

describe.each(RELEASES)('the sample observatory of release %s', (release) => {
  const check = schemasOf(release);

  test('its discovery document is valid by the schema of the release, and says which it is', async () => {
    await using serving = await serve(release);
    const response = await serving.gateway.app.request(`${serving.gateway.url}/.well-known/rostack`);
    const document: unknown = await response.json();
    expect(check('discovery', document)).toEqual([]);
    expect(parseDiscovery(document, { release })).toEqual(document);
    expect(detectRelease(document)).toBe(release);
    const other = RELEASES.find((each) => each !== release) ?? release;
    expect(schemasOf(other)('discovery', document)).not.toEqual([]);
  });

  test('its messages are valid by the schema of the release', async () => {
    await using serving = await serve(release);
    const answers = await converse(
      serving,
      { type: 'authenticate', method: 'shared_token', token: serving.token },
      { type: 'subscribe', subscription_id: 's', resource: 'comets' },
      { type: 'subscribe', subscription_id: 's', resource: 'stations', filter: {} },
      { type: 'subscribe', subscription_id: 's', resource: 'stations' },
      { type: 'ping', id: '1' },
    );
    expect(answers).toMatchObject([
      { type: 'authenticated' },
      { type: 'error', code: 'resource_not_found', retryable: false },
      { type: 'error', code: 'invalid_message', retryable: false },
      { type: 'subscribed' },
      { type: 'pong' },
    ]);
    for (const answer of answers) expect(check('websocket-message', answer)).toEqual([]);
  });

  // An operand that is an object is well-formed in 2026-08-12 only; no operator here compares it.
  test('a filter with an object for an operand', async () => {
    await using serving = await serve(release);
    const { gateway, token } = serving;
    const filter = { '/status': { eq: { a: 1 } } };
    const isWellFormed = release === '2026-08-12';
    expect(check('filter', filter).length === 0).toBe(isWellFormed);
    const query = encodeURIComponent(JSON.stringify(filter));
    const response = await gateway.app.request(`${gateway.url}/api/stations?filter=${query}`, {
      headers: bearing(token),
    });
    expect(await response.json()).toMatchObject({
      status: 400,
      title: isWellFormed ? 'Unsupported filter' : 'Invalid filter',
    });
    const [, refusal] = await converse(
      serving,
      { type: 'authenticate', method: 'shared_token', token },
      { type: 'subscribe', subscription_id: 's', resource: 'stations', filter },
    );
    expect(refusal).toMatchObject({ code: isWellFormed ? 'unsupported_filter' : 'invalid_message' });
    expect(check('websocket-message', refusal)).toEqual([]);
  });
});

test('2026-08-13 is served unless the configuration says otherwise, and problems are the same in both', async () => {
  const problemOf = async ({ gateway }: Serving): Promise<object> => {
    const response = await gateway.app.request(`${gateway.url}/api/stations`);
    return { ...((await response.json()) as object), request_id: '' };
  };
  await using newer = await serve();
  await using older = await serve('2026-08-12');
  const document = await (await newer.gateway.app.request(`${newer.gateway.url}/.well-known/rostack`)).json();
  expect(detectRelease(document)).toBe('2026-08-13');
  const problem = await problemOf(older);
  expect(problem).toEqual(await problemOf(newer));
  expect(schemasOf('2026-08-13')('problem', { ...problem, request_id: '1' })).toEqual([]);
});

/** Requests of all kinds; `{id}` is that of a station. */
const REQUESTS: readonly (readonly [
  method: string,
  path: string,
  headers?: Readonly<Record<string, string>>,
])[] = [
  ['GET', '/api/stations?limit=2&sort=-/name_en&fields=/id,/status'],
  ['GET', `/api/stations?filter=${encodeURIComponent('{"/status":{"in":["no such status"]}}')}`],
  ['GET', '/api/stations/{id}'],
  ['HEAD', '/api/stations/{id}'],
  ['GET', '/api/stations/{id}', { accept: 'application/geo+json' }],
  ['GET', '/api/stations/{id}', { accept: 'text/html' }],
  ['GET', '/api/stations/{id}', { authorization: '' }],
  ['GET', '/api/stations/{id}', { authorization: 'Bearer x' }],
  ['POST', '/api/stations'],
  ['GET', '/api/stations/nothing'],
  ['GET', '/api/planets'],
  ['GET', '/api/stations?limit=0'],
  ['GET', '/api/stations?page=2'],
  ['GET', '/api/stations?filter={}'],
  ['GET', `/api/stations?filter=${encodeURIComponent('{"/name":{"eq":"x"}}')}`],
  ['GET', '/api/stations?sort=/status'],
  ['GET', '/api/stations?fields=/nothing'],
  ['GET', '/api/stations?cursor=x'],
];

/** No station is removed while the test runs: only answers come. */
const NO_EVENTS = {
  type: 'subscribe',
  subscription_id: 'a',
  resource: 'stations',
  event_types: ['station.removed'],
};

const MESSAGES: readonly object[] = [
  { ...NO_EVENTS, event_encoding: 'compact-json' },
  { ...NO_EVENTS, event_encoding: 'compact-json' },
  NO_EVENTS,
  { type: 'subscribe', subscription_id: 'b', resource: 'comets' },
  { type: 'subscribe', subscription_id: 'b', resource: 'stations', event_types: ['station.exploded'] },
  { type: 'subscribe', subscription_id: 'b', resource: 'stations', event_encoding: 'cbor' },
  { type: 'subscribe', subscription_id: 'b', resource: 'stations', filter: { '/name': { eq: 'x' } } },
  { type: 'subscribe', subscription_id: 'b', resource: 'stations', filter: { $and: [] } },
  { type: 'subscribe', subscription_id: 'b', resource: 'stations', cursor: 'x' },
  { type: 'authenticate', method: 'shared_token', token: 'x' },
  { type: 'authenticate', method: 'oauth2', token: 'x' },
  { type: 'subscribe' },
  { type: 'ping', id: '1' },
];

test('requests and messages are answered alike in both releases', async () => {
  const answersOf = async (release: Release) => {
    await using serving = await serve(release);
    const { gateway, token } = serving;
    const { app: http, url } = gateway;
    const first = await http.request(`${url}/api/stations?limit=1`, { headers: bearing(token) });
    const { items } = (await first.json()) as { readonly items: readonly { readonly id: string }[] };
    const answers: unknown[] = [];
    for (const [method, path, headers = {}] of REQUESTS) {
      const response = await http.request(url + path.replace('{id}', items[0]?.id ?? ''), {
        method,
        headers: { ...bearing(token), ...headers },
      });
      const text = await response.text();
      const body: unknown = text === '' ? text : JSON.parse(text, withoutWhatDiffers);
      const names = ['content-type', 'allow', 'www-authenticate', 'vary', 'x-rostack-api-version'];
      answers.push([method, path, response.status, names.map((name) => response.headers.get(name)), body]);
    }
    const authenticate = { type: 'authenticate', method: 'shared_token', token };
    const messages = await converse(serving, authenticate, ...MESSAGES);
    return [
      ...answers,
      ...messages.map((message) => JSON.parse(JSON.stringify(message), withoutWhatDiffers)),
    ];
  };
  const older = await answersOf('2026-08-12');
  expect(older).toEqual(await answersOf('2026-08-13'));
  expect(older).toHaveLength(REQUESTS.length + 1 + MESSAGES.length);
});

/** A reviver that leaves out what is of one installation or one request. */
function withoutWhatDiffers(name: string, value: unknown): unknown {
  return ['request_id', 'next_cursor', 'event_cursor', 'principal_id'].includes(name) ? undefined : value;
}

test('another release of the same API version is no breaking change', async () => {
  await using folder = await temporaryFolder();
  for (const release of [...RELEASES, ...RELEASES]) {
    await using serving = await serveFrom(folder.path, release);
    const response = await serving.gateway.app.request(`${serving.gateway.url}/.well-known/rostack`);
    expect(detectRelease(await response.json())).toBe(release);
  }
});
