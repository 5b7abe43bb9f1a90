import { createSocket } from 'node:dgram';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { generate } from 'selfsigned';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  HostileServer,
  type HostileServerOptions,
} from '../../rostack-client/test/support/hostile-server.ts';
import { TestGateway } from '../../rostack-client/test/support/test-gateway.ts';
import { certificate } from '../../rostack-client/test/support/trust.ts';
import { jsonLines, runCommand } from './support/run-cli.ts';

let gateway: TestGateway;
const ALL = ['stations:read', 'memos:read', 'notices:read'];

beforeAll(async () => {
  gateway = await TestGateway.start();
});
afterAll(() => gateway[Symbol.asyncDispose]());

interface Diagnosis {
  readonly code: number;
  /** By level, what was said. */
  readonly said: readonly string[];
  readonly wrong: readonly string[];
}

async function diagnose(
  url: string,
  {
    token,
    argv = [],
    variables = {},
  }: { token?: string; argv?: string[]; variables?: Record<string, string> } = {},
): Promise<Diagnosis> {
  const environment = { ...variables, ...(token !== undefined && { ROSTACK_TOKEN: token }) };
  const { code, output } = await runCommand(['doctor', url, '--json', ...argv], { environment });
  const findings = jsonLines(output);
  return {
    code,
    said: findings.map(({ level, check }) => `${String(check)} ${String(level)}`),
    wrong: findings
      .filter(({ level }) => level !== 'ok')
      .map(({ level, says, todo }) => `${String(level)}: ${String(says)} ${String(todo)}`),
  };
}

test('nothing is wrong where nothing is wrong', async () => {
  const { code, said, wrong } = await diagnose(gateway.url, { token: gateway.token({ grants: ALL }).token });
  expect({ code, wrong }).toEqual({ code: 0, wrong: [] });
  expect(said).toEqual([
    'dns ok',
    'connection ok',
    'tls ok',
    'discovery ok',
    'release ok',
    'clock ok',
    'schemas ok',
    'websocket ok',
    'token ok',
    ...Array.from({ length: 5 }, () => 'read ok'),
    ...Array.from({ length: 4 }, () => 'follow ok'),
  ]);
});

test('it says which permissions a token lacks, which is no fault', async () => {
  const { code, wrong } = await diagnose(gateway.url, {
    token: gateway.token({ grants: ['stations:read'] }).token,
  });
  expect(code).toBe(0);
  expect(wrong).toEqual([
    'warning: memos may not be read. The token needs memos:read: ask whoever gives out tokens.',
    'warning: notices may not be read. The token needs notices:read: ask whoever gives out tokens.',
    'warning: memos may not be followed. The token needs memos:read: ask whoever gives out tokens.',
  ]);
});

test('without a token it does what it can', async () => {
  const { code, wrong } = await diagnose(gateway.url);
  expect(code).toBe(0);
  expect(wrong).toEqual([
    'warning: There is no token in ROSTACK_TOKEN, so reading was not tried; the server takes shared_token. Put one into that variable, or name another variable with --token-env.',
  ]);
});

test.each<[string, () => Promise<Diagnosis>, string]>([
  [
    'a token that is refused',
    () => diagnose(gateway.url, { token: 'x'.repeat(43) }),
    'The server refuses the token. It may be mistyped, expired or revoked, or of the other method (--auth): get a new one.',
  ],
  [
    'a method that the server does not take',
    () => diagnose(gateway.url, { token: 'abc', argv: ['--auth', 'oauth2'] }),
    'The server takes shared_token, not oauth2. Say with --auth what the token is: Rostack-Token tokens are shared_token, access tokens oauth2.',
  ],
  [
    'an address without a scheme',
    () => diagnose('localhost:8951'),
    'localhost:8951 has no http or https in front. Use one such as https://localhost:8951.',
  ],
  [
    'something that is no address',
    () => diagnose('station'),
    'station is not a URL. Use one such as https://data.example.com.',
  ],
  [
    'plain http elsewhere',
    () => diagnose('http://data.example:8080'),
    'http://data.example:8080 is not https; http is for servers on this computer. Use https://data.example:8080.',
  ],
  [
    'a password in the address',
    () => diagnose('https://:hunter2@data.example'),
    'The URL contains credentials. Leave them out: the token goes into an environment variable.',
  ],
  [
    'a host that does not exist',
    () => diagnose('https://no-such-host.invalid'),
    'no-such-host.invalid has no address: no such host is known: check the name, and the DNS of this network (ENOTFOUND). Check the spelling of the host name.',
  ],
  [
    'a port on which nothing listens',
    () => diagnose('https://localhost:9'),
    'Port 9 of localhost cannot be reached: nothing listens there: check host and port, and that the server runs (ECONNREFUSED). Check that the server runs there, and that no firewall is in between.',
  ],
])('%s is found', async (_name, run, sentence) => {
  const { code, wrong } = await run();
  expect(code).toBe(1);
  expect(wrong.at(-1)).toBe(`fault: ${sentence}`);
});

test('a certificate that is not trusted is named with what to do', async () => {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
  });
  await using server = createServer({ key, cert });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const { code, wrong } = await diagnose(`https://localhost:${(server.address() as AddressInfo).port}`);
  expect(code).toBe(1);
  expect(wrong[0]).toContain(
    'its certificate is self-signed; to trust its authority, start with NODE_EXTRA_CA_CERTS=FILE',
  );
});

const hostile = async (options: HostileServerOptions) => {
  await using server = await HostileServer.start(options);
  const { wrong } = await diagnose(server.url);
  const told = wrong.filter((text) => !text.includes('There is no token'));
  return told.map((text) =>
    text.replaceAll(server.url, 'URL').replaceAll(server.url.replace('https', 'wss'), 'WSS'),
  );
};

test.each<[string, HostileServerOptions, string]>([
  [
    'something else answers 404',
    { answerDiscovery: (_, response) => response.writeHead(404, { server: 'nginx' }).end() },
    'fault: URL/.well-known/rostack is not there (404) (answered by nginx). This is not a rostack server, or it is behind another address: it serves /.well-known/rostack at its origin.',
  ],
  [
    'a page answers',
    {
      answerDiscovery: (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>'),
    },
    'fault: URL/.well-known/rostack answers with something that is not a discovery document. Check the address: it is the origin of a rostack server, or the URL of its discovery document.',
  ],
  [
    'it redirects',
    { answerDiscovery: (_, response) => response.writeHead(308, { location: 'https://new.example/' }).end() },
    'fault: URL/.well-known/rostack redirects to https://new.example/. Connect to that address: the client follows no redirects, so that credentials go nowhere else.',
  ],
  [
    'another version of the protocol is spoken',
    { discovery: (honest) => ({ ...honest, protocol: { name: 'rostack', version: 'rostack_v9' } }) },
    'fault: The server speaks rostack_v9; this client speaks rostack_v1. Upgrade rostack-client, or look for an address of the other version in alternate_versions.',
  ],
  [
    'the document breaks the protocol',
    { discovery: (honest) => ({ ...honest, resources: [] }) },
    'fault: The document breaks release 2026-08-13: /resources must hold at least one resource. Tell whoever runs the server.',
  ],
])('where %s, that is said', async (_name, options, sentence) => {
  expect(await hostile(options)).toEqual([sentence]);
});

/** An NTP server whose clock is wrong by `offsetMs`; it sends a stranger's answer first. */
async function timeServer(offsetMs: number): Promise<AsyncDisposable & { readonly address: string }> {
  const socket = createSocket('udp4');
  socket.on('message', (question, { port, address }) => {
    const answer = Buffer.alloc(48);
    answer.writeUInt8(0x24, 0);
    socket.send(answer, port, address);
    question.copy(answer, 24, 40, 48);
    answer.writeUInt32BE(Math.floor((Date.now() + offsetMs) / 1_000) + 2_208_988_800, 40);
    socket.send(answer, port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    [Symbol.asyncDispose]: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

test.each([
  [0, 'agrees with this machine. Tell whoever runs the server:'],
  [3_600_000, "agrees with the server. Set this machine's by NTP:"],
  [7_200_000, 'says 20'],
])(
  'clocks that differ are both said, with what a third one says that is %i ms ahead',
  async (aheadMs, said) => {
    const date = new Date(Date.now() + 3_600_000).toUTCString();
    await using server: HostileServer = await HostileServer.start({
      answerDiscovery: (_, response) =>
        response
          .writeHead(200, { date, 'content-type': 'application/json' })
          .end(JSON.stringify(server.discovery())),
    });
    await using third = await timeServer(aheadMs);
    const { wrong } = await diagnose(server.url, { argv: ['--time-server', third.address] });
    const time = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`;
    expect(wrong[0]).toMatch(
      new RegExp(`^warning: The clock of this machine says ${time}, the server's ${time}; `),
    );
    expect(wrong[0]).toContain(`; ${third.address} ${said}`);
  },
);

test('a gateway that does not upgrade is found, with what proxies have to do', async () => {
  await using plain = createServer(await certificate, (_, response) =>
    response.writeHead(200, { via: '1.1 proxy' }).end(),
  );
  await new Promise<void>((resolve) => plain.listen(0, 'localhost', resolve));
  const websocket = `wss://localhost:${(plain.address() as AddressInfo).port}/gateway`;
  const wrong = await hostile({
    discovery: (honest) => ({ ...honest, endpoints: { ...honest.endpoints, websocket } }),
  });
  expect(wrong).toContain(
    `fault: ${websocket} answers 200 instead of 101 (answered by 1.1 proxy). Let proxies in front of the server pass upgrades on: the header fields Upgrade and Connection, by HTTP/1.1 (RFC 6455).`,
  );
});

test('another subprotocol is found', async () => {
  expect(await hostile({ subprotocol: 'chat' })).toContain(
    'fault: WSS/gateway upgrades to chat, not to rostack.v1. Check endpoints.websocket of the discovery document: another WebSocket server answers there.',
  );
});

test('what could not be checked because of a fault is said to be so, never to be well', async () => {
  const problem = {
    type: 'https://spec.pmh.codes/problems/service-unavailable',
    title: 'Service unavailable',
    status: 503,
    retry_after_ms: 1,
  };
  await using server = await HostileServer.start({
    answer: (_, response) =>
      response
        .writeHead(503, { 'content-type': 'application/problem+json', 'retry-after': '0' })
        .end(JSON.stringify(problem)),
  });
  const { code, said, wrong } = await diagnose(server.url, { token: 'x'.repeat(43) });
  expect(code).toBe(1);
  expect(said).toContain('read fault');
  expect(said.filter((text) => /^(?:token|follow) /.test(text))).toEqual([
    'token unchecked',
    'follow unchecked',
  ]);
  expect(wrong.filter((text) => text.startsWith('unchecked'))).toEqual([
    'unchecked: Whether the server takes the token is not known. Run doctor again when a resource can be read.',
    'unchecked: Following was not tried. Run doctor again when a resource can be read.',
  ]);
  const { output } = await runCommand(['doctor', server.url], {
    environment: { ROSTACK_TOKEN: 'x'.repeat(43) },
  });
  expect(output).toContain('not checked  Following was not tried.');
});

test('a proxy of the environment that Node does not use is said', async () => {
  const { wrong } = await diagnose(gateway.url, { variables: { HTTPS_PROXY: 'http://proxy.example:3128' } });
  expect(wrong[0]).toBe(
    'warning: HTTPS_PROXY is set, but Node does not use it by itself. If this network can be left through the proxy only, start with NODE_USE_ENV_PROXY=1.',
  );
});

test('a person reads sentences', async () => {
  const { output } = await runCommand(['doctor', 'localhost:8951']);
  expect(output).toBe(
    'WRONG    localhost:8951 has no http or https in front.\n         Use one such as https://localhost:8951.\n',
  );
});
