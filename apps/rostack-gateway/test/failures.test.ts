import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';
import { PROBLEM_MEDIA_TYPE, PROBLEM_SLUGS, parseProblem, problemTypeUri } from 'rostack-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AdminGateway, adminGateway } from './support/admin-gateway.ts';

let running: AdminGateway;

beforeAll(async () => {
  running = await adminGateway({ sections: 'browsers: { websocket_origins: [https://good.example] }' });
});

afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

const KEY = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
const VERSION = 'Sec-WebSocket-Version: 13';
const OFFER = ['Connection: Upgrade', 'Upgrade: websocket'];
const PROTOCOL = 'Sec-WebSocket-Protocol: rostack.v1';
const HOST = 'Host: {host}';
const END = 'Connection: close';

/** What is answered to lines of a request; `{host}` is the gateway's. */
async function answerTo(lines: readonly string[]): Promise<string> {
  const { port } = running.gateway;
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
  socket.on('error', () => {});
  await once(socket, 'secureConnect');
  const host = new URL(running.gateway.url).host;
  socket.write(`${lines.join('\r\n').replaceAll('{host}', host)}\r\n\r\n`);
  return text(socket);
}

interface Answer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

function parseAnswer(answer: string): Answer {
  const end = answer.indexOf('\r\n\r\n');
  const [first = '', ...fields] = answer.slice(0, end).split('\r\n');
  const headers = new Map(
    fields.map((field) => {
      const colon = field.indexOf(':');
      return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()];
    }),
  );
  return { status: Number(first.split(' ')[1]), headers, body: answer.slice(end + 4) };
}

const slugOf = (type: string) => PROBLEM_SLUGS.find((slug) => problemTypeUri(slug) === type);

type Case = readonly [what: string, slug: string, status: number, lines: readonly string[], headers?: object];

const CASES: readonly Case[] = [
  ['an unknown path', 'resource-not-found', 404, ['GET /nothing HTTP/1.1', HOST, END]],
  ['another method', 'method-not-allowed', 405, ['POST / HTTP/1.1', HOST, 'Content-Length: 0', END]],
  ['TRACE', 'method-not-allowed', 405, ['TRACE / HTTP/1.1', HOST], { allow: 'GET, HEAD, OPTIONS' }],
  ['a tunnel', 'method-not-allowed', 405, ['CONNECT example.com:443 HTTP/1.1', HOST]],
  ['a schema that is not there', 'resource-not-found', 404, ['GET /schemas/no.json HTTP/1.1', HOST, END]],
  [
    "the gateway's URL without an upgrade",
    'invalid-request',
    400,
    ['GET /gateway HTTP/1.1', HOST],
    { upgrade: 'websocket', 'sec-websocket-version': '13' },
  ],
  ['an expectation', 'invalid-request', 400, ['GET / HTTP/1.1', HOST, 'Expect: wonders']],
  ['no Host field', 'invalid-request', 400, ['GET / HTTP/1.1']],
  ['two Host fields', 'invalid-request', 400, ['GET / HTTP/1.1', HOST, HOST]],
  ['another host', 'invalid-request', 400, ['GET /.well-known/rostack HTTP/1.1', 'Host: other.example', END]],
  ['something else than HTTP', 'invalid-request', 400, ['HELO there']],
  [
    'a token of 17,000 characters',
    'invalid-request',
    400,
    ['GET /api/stations HTTP/1.1', HOST, `Authorization: Bearer ${'x'.repeat(17_000)}`],
  ],
  [
    'a chunk with long extensions',
    'invalid-request',
    400,
    ['GET /api/stations HTTP/1.1', HOST, 'Transfer-Encoding: chunked', '', `1;${'x'.repeat(17_000)}`, 'x'],
  ],
  [
    'an upgrade elsewhere',
    'resource-not-found',
    404,
    ['GET /other HTTP/1.1', HOST, ...OFFER, KEY, VERSION, PROTOCOL],
  ],
  [
    'an upgrade without the subprotocol',
    'invalid-request',
    400,
    ['GET /gateway HTTP/1.1', HOST, ...OFFER, KEY, VERSION],
  ],
  [
    'an upgrade from another origin',
    'permission-denied',
    403,
    ['GET /gateway HTTP/1.1', HOST, ...OFFER, KEY, VERSION, PROTOCOL, 'Origin: https://bad.example'],
  ],
  [
    'an upgrade for another host',
    'invalid-request',
    400,
    ['GET /gateway HTTP/1.1', 'Host: other.example', ...OFFER, KEY, VERSION, PROTOCOL],
  ],
  [
    'an upgrade with two Host fields',
    'invalid-request',
    400,
    ['GET /gateway HTTP/1.1', HOST, 'Host: other.example', ...OFFER, KEY, VERSION, PROTOCOL],
  ],
  [
    'an upgrade with a wrong key',
    'invalid-request',
    400,
    ['GET /gateway HTTP/1.1', HOST, ...OFFER, 'Sec-WebSocket-Key: short', VERSION, PROTOCOL],
  ],
  [
    'an upgrade to version 8',
    'invalid-request',
    400,
    ['GET /gateway HTTP/1.1', HOST, ...OFFER, KEY, 'Sec-WebSocket-Version: 8', PROTOCOL],
    { 'sec-websocket-version': '13', upgrade: 'websocket' },
  ],
  [
    'an upgrade by POST',
    'method-not-allowed',
    405,
    ['POST /gateway HTTP/1.1', HOST, ...OFFER, KEY, VERSION, PROTOCOL],
    { allow: 'GET' },
  ],
];

test.each(CASES.map(([what, slug, status, lines, headers = {}]) => ({ what, slug, status, lines, headers })))(
  '$what is answered with $slug',
  async ({ slug, status, lines, headers }) => {
    const answer = parseAnswer(await answerTo(lines));
    const { type, request_id } = parseProblem(JSON.parse(answer.body));
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toBe(PROBLEM_MEDIA_TYPE);
    expect(slugOf(type)).toBe(slug);
    expect(answer.headers.get('x-request-id')).toBe(request_id);
    expect(Object.fromEntries(answer.headers)).toMatchObject(headers);
  },
);

test('an offer to go on with HTTP/2 is ignored, and the request answered', async () => {
  const settings = [
    'Connection: Upgrade, HTTP2-Settings',
    'Upgrade: h2c',
    'HTTP2-Settings: AAMAAABkAAQAAP__',
  ];
  const answer = parseAnswer(await answerTo(['GET /.well-known/rostack HTTP/1.1', HOST, ...settings]));
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('application/json');
  expect(JSON.parse(answer.body)).toMatchObject({ protocol: { name: 'rostack' } });
});

test('a right upgrade is accepted', async () => {
  const { port } = running.gateway;
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const lines = ['GET /gateway HTTP/1.1', HOST, ...OFFER, KEY, VERSION, PROTOCOL, '', ''];
  socket.write(lines.join('\r\n').replace('{host}', new URL(running.gateway.url).host));
  const [data] = (await once(socket, 'data')) as [Buffer];
  expect(data.toString()).toMatch(/^HTTP\/1\.1 101 /);
  socket.destroy();
});
