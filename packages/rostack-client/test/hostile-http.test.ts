import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import type { AnyDiscoveryDocument } from 'rostack-core';
import { describe, expect, test } from 'vitest';
import { connected, drain } from './support/hostile-client.ts';
import { type Answer, HostileServer, json } from './support/hostile-server.ts';
import { JumpingClock } from './support/jumping-clock.ts';

const endless: Answer = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const more = (): void => {
    while (response.write(' '.repeat(65_536)));
  };
  response.on('drain', more);
  more();
};

describe('a discovery document', () => {
  test.for<[string, (honest: AnyDiscoveryDocument) => unknown]>([
    ['with an unknown member', (honest) => ({ ...honest, telemetry: true })],
    [
      'with a gateway by ws',
      (honest) => ({ ...honest, endpoints: { ...honest.endpoints, websocket: 'ws://localhost/' } }),
    ],
    [
      'of another protocol',
      (honest) => ({ ...honest, protocol: { name: 'rostack', version: 'rostack_v2' } }),
    ],
    ['that is none', () => [1, 2, 3]],
  ])('%s is refused', async ([, discovery]) => {
    await using server = await HostileServer.start({ discovery });
    await expect(connected(server)).rejects.toMatchObject({ code: 'invalid_response', retryable: false });
  });

  test('without an end is read as far as its limit, and the connection is given up', async () => {
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    await using server = await HostileServer.start({
      answerDiscovery: (request, response, url) => {
        response.once('close', resolve);
        endless(request, response, url);
      },
    });
    await expect(connected(server)).rejects.toMatchObject({ code: 'response_too_large' });
    await closed;
  });

  test('that was good once stays good while a worse one is served', async () => {
    let isBad = false;
    await using server = await HostileServer.start({
      discovery: (honest) => {
        if (isBad) return {};
        honest.capabilities.websocket.discovery_refresh_after_ms = 1_000;
        return honest;
      },
    });
    const clock = new JumpingClock();
    await using client = await connected(server, { clock });
    isBad = true;
    clock.jump(1_000);
    await drain(client.list('stations'));
    expect(server.requests.map(({ path }) => path)).toEqual([
      '/.well-known/rostack',
      '/.well-known/rostack',
      '/api/stations',
    ]);
  });

  test('gets no credentials unless the server asks for them', async () => {
    await using server = await HostileServer.start();
    await using _ = await connected(server);
    expect(server.requests).toMatchObject([{ path: '/.well-known/rostack', authorization: undefined }]);
  });
});

describe('credentials never leave their origin', () => {
  test.for([301, 302, 303, 307, 308])('a redirect (%s) is not followed', async (status) => {
    await using other = await HostileServer.start();
    await using server = await HostileServer.start({
      answer: (_request, response) =>
        response.writeHead(status, { location: `${other.url}/api/stations` }).end(),
    });
    await using client = await connected(server);
    await expect(client.get('stations', 'a')).rejects.toMatchObject({
      code: 'redirect_refused',
      retryable: false,
    });
    expect(other.requests).toEqual([]);
  });

  test('URLs of another origin are not asked, unless it is trusted', async () => {
    await using other = await HostileServer.start();
    await using server = await HostileServer.start({
      discovery: (honest) => {
        for (const resource of honest.resources) {
          resource.collection_url = `${other.url}/api/stations`;
          resource.item_url_template = `${other.url}/api/stations/{id}`;
        }
        return honest;
      },
    });
    await using client = await connected(server);
    await expect(drain(client.list('stations'))).rejects.toMatchObject({ code: 'untrusted_url' });
    await expect(client.get('stations', 'a')).rejects.toMatchObject({ code: 'untrusted_url' });
    expect(other.requests).toEqual([]);
    await using trusting = await connected(server, { trustedOrigins: [other.url] });
    await drain(trusting.list('stations'));
    expect(other.requests).toMatchObject([{ authorization: 'Rostack-Token secret-token' }]);
  });

  test('errors do not hold them', async () => {
    await using server = await HostileServer.start({
      answer: (_request, response) => json(response, 200, 1),
    });
    await using client = await connected(server);
    const error: unknown = await client.get('stations', 'a').catch((error: unknown) => error);
    expect(server.requests).toContainEqual(
      expect.objectContaining({ authorization: 'Rostack-Token secret-token' }),
    );
    expect(error).toBeInstanceOf(Error);
    expect(inspect(error, { depth: null, showHidden: true })).not.toContain('secret-token');
  });
});

const bomb = gzipSync(Buffer.alloc(50 * 1_048_576));

describe('an answer', () => {
  const html: Answer = (_request, response) => {
    response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>');
  };
  const text =
    (body: string): Answer =>
    (_request, response) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  const problem = (status: number, members: object): Answer => {
    return (_request, response) =>
      json(response, status, {
        type: 'https://spec.pmh.codes/problems/internal-error',
        title: 'Internal error',
        status: 500,
        ...members,
      });
  };

  test.for<[string, Answer, string, boolean]>([
    ['without an end', endless, 'response_too_large', false],
    [
      'that unpacks to fifty times its limit',
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(bomb);
      },
      'response_too_large',
      false,
    ],
    [
      'that drips',
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const timer = setInterval(() => response.write(' '), 20);
        response.once('close', () => clearInterval(timer));
      },
      'request_timeout',
      true,
    ],
    ['that never comes', () => {}, 'request_timeout', true],
    [
      'that is cut',
      (request, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
        response.write('{', () => request.socket.destroy());
      },
      'network_error',
      true,
    ],
    ['that is HTML with 502', html, 'invalid_response', true],
    [
      'that is HTML with 200',
      (_request, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('{}'),
      'invalid_response',
      false,
    ],
    [
      'that is no UTF-8',
      (_request, response) =>
        void response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(Buffer.from([0x22, 0xff, 0x22])),
      'invalid_response',
      false,
    ],
    [
      'that is no JSON',
      (_request, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{'),
      'invalid_response',
      false,
    ],
    [
      'in which a number has too many digits',
      text('{"id":"a","n":12345678901234567890}'),
      'invalid_response',
      false,
    ],
    ['in which a member is repeated', text('{"id":"a","n":1,"n":2}'), 'invalid_response', false],
    ['that is an array', (_request, response) => json(response, 200, []), 'invalid_response', false],
    [
      'of 304 without a condition',
      (_request, response) => void response.writeHead(304).end(),
      'invalid_response',
      false,
    ],
    ['of 204', (_request, response) => void response.writeHead(204).end(), 'invalid_response', false],
    ['with a problem of another status', problem(403, {}), 'invalid_response', false],
    [
      'with a problem of an unknown type',
      problem(500, { type: 'https://evil.example/' }),
      'invalid_response',
      true,
    ],
    ['with a problem that has an unknown member', problem(500, { stack: '...' }), 'invalid_response', true],
    ['with an honest problem', problem(500, {}), 'internal-error', true],
  ])('%s', async ([, answer, code, retryable]) => {
    await using server = await HostileServer.start({ answer });
    await using client = await connected(server, {
      limits: { requestTimeoutMs: code === 'request_timeout' ? 2_000 : 30_000, maxResponseBytes: 1_048_576 },
    });
    await expect(client.get('stations', 'a')).rejects.toMatchObject({ code, retryable });
  });

  test('of another API version than discovery says is refused after discovery was read again, once', async () => {
    await using server = await HostileServer.start({
      answer: (_request, response) => {
        response.setHeader('x-rostack-api-version', '99');
        json(response, 200, {});
      },
    });
    await using client = await connected(server);
    await expect(client.get('stations', 'a')).rejects.toMatchObject({ code: 'discovery_outdated' });
    expect(server.requests.map(({ path }) => path)).toEqual([
      '/.well-known/rostack',
      '/api/stations/a',
      '/.well-known/rostack',
      '/api/stations/a',
    ]);
  });

  test('that asks for a long wait is given what the limit allows, and then given up', async () => {
    await using server = await HostileServer.start({
      answer: (_request, response) =>
        json(response, 503, {
          type: 'https://spec.pmh.codes/problems/service-unavailable',
          title: 'Service unavailable',
          status: 503,
          retry_after_ms: 1e12,
        }),
    });
    await using client = await connected(server, { limits: { maxAttempts: 3, maxServerDelayMs: 50 } });
    await expect(client.get('stations', 'a')).rejects.toMatchObject({
      code: 'service-unavailable',
      retryAfterMs: 1e12,
    });
    expect(server.requests).toHaveLength(4);
  });
});
