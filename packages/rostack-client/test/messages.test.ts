import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createServer as createTcpServer } from 'node:net';
import { type ConnectionStatus, connect } from 'rostack-client';
import * as own from 'rostack-core';
import { defineImplementation, isLogHole, isPositionExpired, isSourceUnavailable } from 'rostack-core';
import { attachWebSocketGateway, createRostackApp, createSharedTokenAuthenticator } from 'rostack-server';
import { generate } from 'selfsigned';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { HostileServer } from './support/hostile-server.ts';
import { TestGateway } from './support/test-gateway.ts';
import { certificate } from './support/trust.ts';

const CREDENTIAL = { method: 'shared_token', token: 'abc' } as const;

/** A call as JavaScript makes it, without the compiler's help. */
const untyped = (callee: unknown) => callee as (...values: readonly unknown[]) => unknown;

const IMPLEMENTATION = {
  id: 'observatory',
  name: 'Observatory',
  apiVersion: '1',
  documentationUrl: 'https://observatory.example/docs',
  baseUrl: 'https://observatory.example',
  permissions: { 'stations:read': 'Read stations' },
};

const define = (station: object) =>
  untyped(defineImplementation)({
    ...IMPLEMENTATION,
    resources: { stations: { readPermissions: ['stations:read'], ...station } },
  });

let gateway: TestGateway;
let silent: ReturnType<typeof createTcpServer>;
let untrusted: ReturnType<typeof createServer>;

const portOf = (server: { address(): unknown }): number => (server.address() as AddressInfo).port;
const listening = (server: { listen(port: number, host: string, done: () => void): unknown }) =>
  new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));

beforeAll(async () => {
  gateway = await TestGateway.start();
  silent = createTcpServer();
  const made = await generate([{ name: 'commonName', value: 'localhost' }], {
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
  });
  untrusted = createServer({ key: made.private, cert: made.cert });
  await Promise.all([listening(silent), listening(untrusted)]);
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  silent.close();
  untrusted.close();
});

const withServer = async (answer: (url: string) => Promise<unknown>, status: number, type: string) => {
  await using server = await HostileServer.start({
    answerDiscovery: (_, response) => response.writeHead(status, { 'content-type': type }).end('<h1>'),
  });
  return await answer(server.url);
};

const withClient = async (use: (client: Awaited<ReturnType<typeof connect>>) => unknown) => {
  await using client = await connect(gateway.url, { method: 'shared_token', token: gateway.token().token });
  return await use(client);
};

test.each<[string, () => unknown, string]>([
  [
    'a host without an address',
    () => connect('https://no-such-host.invalid', CREDENTIAL),
    'https://no-such-host.invalid/.well-known/rostack could not be read: no such host is known: check the name, and the DNS of this network (ENOTFOUND)',
  ],
  [
    'a port on which nothing listens',
    () => connect('https://localhost:4', CREDENTIAL),
    'https://localhost:4/.well-known/rostack could not be read: nothing listens there: check host and port, and that the server runs (ECONNREFUSED)',
  ],
  [
    'a certificate that is not trusted',
    () => connect(`https://localhost:${portOf(untrusted)}`, CREDENTIAL),
    'https://localhost:PORT/.well-known/rostack could not be read: its certificate is self-signed; to trust its authority, start with NODE_EXTRA_CA_CERTS=FILE (its PEM file) (DEPTH_ZERO_SELF_SIGNED_CERT)',
  ],
  [
    'a URL without a scheme',
    () => connect('localhost:8951', CREDENTIAL),
    'url has no http or https in front: use one such as https://localhost:8951; http is for servers on this computer, with the option allowInsecureLoopback',
  ],
  [
    'plain http',
    () => connect('http://localhost:8951', CREDENTIAL),
    'http://localhost:8951 is not https; http is for loopback, with the option allowInsecureLoopback',
  ],
  ['no URL', () => untyped(connect)(), 'url is not a URL: use one such as https://data.example.com'],
  [
    'no credentials',
    () => untyped(connect)('https://data.example.com'),
    "there are no credentials: pass { method: 'shared_token', token } or { method: 'oauth2', token } after the URL, or a callback that gives one of these",
  ],
  [
    '404 of something else',
    () => withServer((url) => connect(url, CREDENTIAL), 404, 'text/html'),
    'https://localhost:PORT/.well-known/rostack answered 404 without a problem: this is not a rostack server, or it is at another address',
  ],
  [
    '502 of a proxy',
    () => withServer((url) => connect(url, CREDENTIAL), 502, 'text/html'),
    'https://localhost:PORT/.well-known/rostack answered 502 without a problem: a proxy in front of the server answers, or the server fails',
  ],
  [
    'a page',
    () => withServer((url) => connect(url, CREDENTIAL), 200, 'text/html'),
    'https://localhost:PORT/.well-known/rostack answered with text/html, not application/json: this is not a rostack server, or a proxy in front of it answers',
  ],
  [
    'a look-up without an id',
    () => withClient((client) => untyped(client.get.bind(client))('stations')),
    'id is undefined: use the id of a record, a string or a safe integer',
  ],
  [
    'a second loop over a follow',
    () =>
      withClient(async (client) => {
        const follow = client.follow('stations');
        for await (const change of follow) if (change.kind === 'live') break;
        for await (const change of follow) expect(change).toBeUndefined();
      }),
    'a Follow is read by one loop, once: call follow again for another one',
  ],
  [
    'a credentials callback that fails',
    () =>
      connect(gateway.url, () => Promise.reject(new Error('the vault is locked'))).then((client) =>
        client.get('stations', 'a'),
      ),
    'the credentials callback failed: the vault is locked',
  ],
  [
    'an app without options',
    () => untyped(createRostackApp)(),
    'The rostack app cannot be made: options is undefined: use an object.',
  ],
  [
    'a gateway without options',
    () => untyped(attachWebSocketGateway)(silent),
    'The gateway cannot start: options is undefined: use an object.',
  ],
  [
    'an authenticator without options',
    () => untyped(createSharedTokenAuthenticator)(),
    'The authenticator cannot be made: options is undefined: use an object.',
  ],
  [
    'a definition of nothing',
    () => untyped(defineImplementation)(),
    'the implementation cannot be defined: (root): is required',
  ],
  [
    'a permission that is misspelt',
    () =>
      define({
        model: z.object({ id: z.string() }),
        readPermissions: ['station:read'],
        subscribePermissions: [],
      }),
    'the implementation cannot be defined: /resources/stations/readPermissions/0: "station:read" must be listed in permissions, which has: stations:read',
  ],
  [
    'a date in a model',
    () => define({ model: z.object({ id: z.string(), at: z.date() }) }),
    'the implementation cannot be defined: /resources/stations/model: has no JSON Schema: Date cannot be represented in JSON Schema; records are JSON: use z.iso.datetime() for a date, a string for a big integer, z.json() for any value; /resources/stations/id: /id is not a field of the model',
  ],
])('%s: the message says what to do', async (_name, run, sentence) => {
  const error = await Promise.resolve()
    .then(run)
    .catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(Error);
  expect((error as Error).message.replace(/localhost:\d{5}/, 'localhost:PORT')).toBe(sentence);
});

/** What a client says of a connection to a gateway that is not one. */
async function firstTrouble(websocket: string, answerTimeoutMs: number): Promise<string> {
  await using server = await HostileServer.start({
    discovery: (honest) => ({ ...honest, endpoints: { ...honest.endpoints, websocket } }),
  });
  const statuses: ConnectionStatus[] = [];
  const limits = { answerTimeoutMs };
  await using client = await connect(server.url, CREDENTIAL, {
    limits,
    onStatus: (status) => void statuses.push(status),
  });
  const subscription = client.subscribe('stations', { cursor: 'c0' });
  const end = subscription.next().catch(() => {});
  const waiting = await vi.waitUntil(() => statuses.find(({ kind }) => kind === 'waiting'), {
    timeout: 20_000,
  });
  await subscription.close();
  await end;
  const { error } = waiting as Extract<ConnectionStatus, { kind: 'waiting' }>;
  return (error as Error).message;
}

const UPGRADES =
  'a proxy in front of the server may not pass upgrades on; `npx rostack-cli doctor` says more';

test('an upgrade that is not answered is said, with what to do', async () => {
  await using stuck = createServer(await certificate);
  stuck.on('upgrade', (_request, socket) => void socket.on('error', () => {}));
  await listening(stuck);
  expect(await firstTrouble(`wss://localhost:${portOf(stuck)}/gateway`, 300)).toBe(
    `the upgrade to a WebSocket was not answered within 300 ms: ${UPGRADES}`,
  );
  stuck.closeAllConnections();
});

test('an upgrade that is refused is said, with what to do', async () => {
  await using plain = createServer(await certificate, (_, response) => response.writeHead(404).end());
  await listening(plain);
  const message = await firstTrouble(`wss://localhost:${portOf(plain)}/gateway`, 60_000);
  expect(message).toMatch(/^the gateway connection ended \(1006 no WebSocket was opened, /);
  expect(message).toContain(UPGRADES);
});

test('errors of a store with a copy of rostack-core of its own are understood, by their codes', async () => {
  const path = '../../rostack-core/src/record/record-source.ts?copy';
  const copy = (await import(path)) as typeof own;
  expect(copy.PositionExpiredError).not.toBe(own.PositionExpiredError);
  expect(isPositionExpired(new copy.PositionExpiredError('gone'))).toBe(true);
  expect(isPositionExpired(new copy.LogHoleError('stations', 7))).toBe(true);
  expect([
    isLogHole(new copy.LogHoleError('stations', 7)),
    isLogHole(new copy.PositionExpiredError('gone')),
  ]).toEqual([true, false]);
  expect(isSourceUnavailable(new copy.SourceUnavailableError('busy'))).toBe(true);
  expect(isSourceUnavailable(undefined)).toBe(false);
  const { store } = gateway;
  const source = store.source('stations');
  const page = vi.spyOn(source, 'page').mockRejectedValue(new copy.SourceUnavailableError('busy'));
  const sourceOf = vi.spyOn(store, 'source').mockReturnValue(source);
  await using other = await TestGateway.start({ store });
  const answer = await fetch(`${other.url}/api/stations`, {
    headers: { authorization: `Rostack-Token ${other.token().token}` },
  });
  expect([answer.status, await answer.json()]).toMatchObject([503, { title: 'Service unavailable' }]);
  page.mockRestore();
  sourceOf.mockRestore();
});
