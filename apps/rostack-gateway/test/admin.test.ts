import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAdminApp } from '../src/admin/admin-app.ts';
import { failedAttempts } from '../src/admin/admin-listener.ts';
import { ReadinessCheck } from '../src/observe/readiness.ts';
import { ADMIN_TOKEN, type AdminGateway, adminGateway } from './support/admin-gateway.ts';
import { runCommand } from './support/run-command.ts';
import { writeSampleConfig } from './support/sample-config.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

let running: AdminGateway;

beforeAll(async () => {
  running = await adminGateway();
});

afterAll(() => running[Symbol.asyncDispose]());

const json = { 'Content-Type': 'application/json' };
const put = (record: object, headers: Record<string, string> = {}, id = 'a') =>
  running.admin(`/resources/stations/${id}`, {
    method: 'PUT',
    headers: { ...json, ...headers },
    body: JSON.stringify(record),
  });
const remove = (id: string, headers: Record<string, string> = {}) =>
  running.admin(`/resources/stations/${id}`, { method: 'DELETE', headers });
const stored = async (id: string) => {
  const found = await running.gateway.store.source('stations').get(id);
  return found === undefined || found === 'gone' ? found : (JSON.parse(found.body) as unknown);
};
const lastEvent = async () => {
  const source = running.gateway.store.source('stations');
  const { position } = await source.head();
  const [change] = await source.read(position - 1, 1);
  return change?.eventType;
};

describe('the admin listener', () => {
  test.each([
    ['PUT', '/resources/stations/a'],
    ['DELETE', '/resources/stations/a'],
    ['POST', '/resources/stations/changes'],
    ['GET', '/metrics'],
    ['GET', '/nothing'],
  ])('refuses %s %s without its token', async (method, path) => {
    await using other = await adminGateway();
    for (const token of [null, 'wrong', `${ADMIN_TOKEN}x`, ADMIN_TOKEN.slice(1), '']) {
      const response = await other.admin(path, { method, token });
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toContain('Bearer');
      expect(response.headers.get('content-type')).toBe('application/problem+json');
    }
    expect((await other.admin(path, { method })).status).not.toBe(401);
  });

  test('takes the token from the Authorization field alone', async () => {
    const query = await running.admin(`/metrics?access_token=${ADMIN_TOKEN}`, { token: null });
    expect(query.status).toBe(401);
    const basic = await running.admin('/metrics', {
      token: null,
      headers: { Authorization: `Basic ${ADMIN_TOKEN}` },
    });
    expect(basic.status).toBe(401);
  });

  test('lets an address wait after too many failures, but never the right token', async () => {
    await using other = await adminGateway();
    const attempts: Response[] = [];
    for (let attempt = 0; attempt < 12; attempt += 1) {
      attempts.push(await other.admin('/metrics', { token: 'wrong' }));
    }
    expect(attempts.map(({ status }) => status)).toEqual([
      ...Array.from({ length: 10 }, () => 401),
      429,
      429,
    ]);
    expect(Number(attempts.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0);
    const right = await other.admin('/metrics');
    expect(right.status).toBe(200);
    const metrics = await right.text();
    const failures = (limited: boolean) =>
      `rostack_authentication_failures_total{via="admin",reason="unknown",limited="${limited}"}`;
    expect(metrics).toContain(`${failures(false)} 10\n`);
    expect(metrics).toContain(`${failures(true)} 2\n`);
    expect((await other.admin('/healthz', { token: null })).status).toBe(200);
  });

  test.each([
    ['admin: { token: { env: ADMIN_TOKEN }, host: 0.0.0.0 }', 'is not loopback'],
    ['admin: { token: { env: ADMIN_TOKEN }, host: 10.1.2.3 }', 'is not loopback'],
    ['admin: { port: 0 }', 'token'],
    ['admin: { token: { env: ABSENT } }', 'ABSENT'],
    ['admin: { token: in-the-file-itself-0123456789 }', '{ env: NAME }'],
  ])('is not started with %s', async (section, message) => {
    await using folder = await temporaryFolder();
    const config = await writeSampleConfig(folder.path, {
      sections: `listeners: { data: { port: 0 }, ${section} }`,
    });
    const { exitCode, stderr } = await runCommand(['start', '--config', config], {
      environment: { ADMIN_TOKEN },
    });
    expect(stderr).toContain(message);
    expect(exitCode).toBe(2);
  });
});

describe('PUT and DELETE of a record', () => {
  test('write, replace and delete it, and say what they did', async () => {
    const created = await put({ id: 'a', height: 1 });
    expect(created.status).toBe(201);
    const first = (await created.json()) as { version: string };
    expect(first).toMatchObject({ id: 'a', changed: true, transition: 'create' });
    expect(created.headers.get('etag')).toBe(`"${first.version}"`);
    expect(await (await put({ id: 'a', height: 1 })).json()).toMatchObject({ changed: false });
    const replaced = await put({ id: 'a', height: 2 });
    expect(replaced.status).toBe(200);
    expect(await replaced.json()).toMatchObject({ changed: true, transition: 'update' });
    expect(await stored('a')).toEqual({ id: 'a', height: 2 });
    expect(await (await remove('a')).json()).toMatchObject({ changed: true, transition: 'delete' });
    expect(await (await remove('a')).json()).toMatchObject({ changed: false });
    expect(await stored('a')).toBe('gone');
  });

  test('take ids with any character', async () => {
    const id = 'a/b c%?#"한';
    expect((await put({ id, height: 1 }, {}, encodeURIComponent(id))).status).toBe(201);
    expect(await stored(id)).toEqual({ id, height: 1 });
    expect((await remove(encodeURIComponent(id))).status).toBe(200);
  });

  test('happen only under the version that If-Match names', async () => {
    const { version } = (await (await put({ id: 'm', height: 1 }, {}, 'm')).json()) as { version: string };
    const stale = await put({ id: 'm', height: 2 }, { 'If-Match': '"other"' }, 'm');
    expect(stale.status).toBe(412);
    expect(await stale.json()).toMatchObject({ code: 'version_conflict', present_version: version });
    const exclusive = await put({ id: 'm', height: 2 }, { 'If-None-Match': '*' }, 'm');
    expect(exclusive.status).toBe(412);
    expect((await put({ id: 'm', height: 3 }, { 'If-Match': `"${version}"` }, 'm')).status).toBe(200);
    expect((await put({ id: 'm', height: 4 }, { 'If-Match': '*' }, 'm')).status).toBe(200);
    expect((await remove('m', { 'If-Match': `"${version}"` })).status).toBe(412);
    expect((await remove('absent', { 'If-Match': '*' })).status).toBe(412);
    expect((await remove('m', { 'If-Match': '*' })).status).toBe(200);
    expect((await put({ id: 'm', height: 1 }, { 'If-None-Match': '*' }, 'm')).status).toBe(201);
    for (const field of ['unquoted', '"a", "b"', 'W/"a"']) {
      expect((await remove('m', { 'If-Match': field })).status).toBe(400);
    }
  });

  test('name the event by a header field or by the query', async () => {
    const fitting = await put({ id: 'e', height: 1 }, { 'X-Rostack-Event': 'station.created' }, 'e');
    expect(fitting.status).toBe(201);
    expect(await lastEvent()).toBe('station.created');
    const other = await running.admin('/resources/stations/e?event=station.created', { method: 'DELETE' });
    expect(other.status).toBe(422);
    expect(await other.json()).toMatchObject({
      code: 'change_invalid',
      detail: expect.stringContaining('transition of this change in stations is delete'),
    });
  });

  test.each([
    [{ id: 'b', height: 1 }, 400, 'request_invalid', 'The id in the record is "b"'],
    [{ id: 'a' }, 422, 'record_invalid', 'height'],
    [{ id: 'a', height: 1, more: 1 }, 422, 'record_invalid', 'additional'],
    [{ id: 'a', height: 1, name: 'x'.repeat(1_100_000) }, 413, 'body_too_large', '1048576'],
    [[], 400, 'request_invalid', 'not an object'],
  ])('refuse %j', async (record, status, code, detail) => {
    const response = await put(record);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ status, code, detail: expect.stringContaining(detail) });
  });

  test.each([
    ['{"id":"a","height":9007199254740993}', '/height', 'has more digits than a JSON number keeps'],
    ['{"id":"a","height":12345678901234567890}', '/height', 'has more digits'],
    ['{"id":"a","height":1e400}', '/height', 'is beyond the range'],
    ['{"id":"a","height":1,"height":1}', '/height', 'is given twice'],
    ['{"id":"a","height":1,"__proto__":{},"__proto__":{}}', '/__proto__', 'is given twice'],
  ])('refuse %s, which would not be kept as it is written', async (body, pointer, message) => {
    const response = await running.admin('/resources/stations/a', { method: 'PUT', headers: json, body });
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
      code: 'record_invalid',
      pointer,
      detail: expect.stringContaining(message),
    });
  });

  test('refuse a resource that another source feeds, and wait for the store while the gateway starts', async () => {
    const failures = { rateLimiter: await failedAttempts(), onRefused: () => {} };
    const app = createAdminApp({
      token: ADMIN_TOKEN,
      failures,
      running: () => ({
        resources: ['fed', 'plain'],
        store: undefined,
        status: undefined,
        tables: [],
        isDraining: false,
      }),
      readiness: new ReadinessCheck({ maxTailLagMs: 1, storeTimeoutMs: 1, writeTrialIntervalMs: 1 }),
      metrics: undefined,
      idPaths: new Map([
        ['fed', ['id']],
        ['plain', ['id']],
      ]),
      readOnly: new Map([['fed', 'the table public.fed']]),
      maxRecordBytes: 1_000,
      logger: pino({ level: 'silent' }),
    });
    const headers = { Authorization: `Bearer ${ADMIN_TOKEN}` };
    const fed = await app.request('/resources/fed/a', { method: 'DELETE', headers });
    expect(fed.status).toBe(409);
    expect(await fed.json()).toMatchObject({ detail: 'fed comes from the table public.fed: write there.' });
    const early = await app.request('/resources/plain/a', { method: 'DELETE', headers });
    expect(early.status).toBe(503);
    expect(early.headers.get('retry-after')).toBe('1');
    expect((await app.request('/healthz')).status).toBe(200);
    const unready = await app.request('/readyz');
    expect(await unready.json()).toMatchObject({ checks: { migrations: 'failed', serving: 'failed' } });
  });

  test('refuse bodies that are no JSON, and unknown resources', async () => {
    const malformed = { method: 'PUT', headers: json, body: '{"id":' };
    expect((await running.admin('/resources/stations/a', malformed)).status).toBe(400);
    const untyped = { method: 'PUT', body: '{"id":"a","height":1}' };
    expect((await running.admin('/resources/stations/a', untyped)).status).toBe(415);
    const unknown = { method: 'PUT', headers: json, body: '{"id":"a"}' };
    const response = await running.admin('/resources/planets/a', unknown);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: 'resource_unknown' });
  });
});

/** A change stream that is open in both directions. */
async function openStream(): Promise<{
  readonly sent: ClientRequest;
  readonly answer: Promise<IncomingMessage>;
}> {
  const sent = request(`${running.url}/resources/stations/changes`, {
    method: 'POST',
    agent: false,
    headers: { Authorization: `Bearer ${ADMIN_TOKEN}`, 'Content-Type': 'application/x-ndjson' },
  });
  const answer = once(sent, 'response').then(([response]) => response as IncomingMessage);
  sent.on('error', () => {});
  sent.flushHeaders();
  return { sent, answer };
}

const change = (id: string, height: unknown, more: object = {}) =>
  `${JSON.stringify({ op: 'put', record: { id, height }, ...more })}\n`;

describe('a stream of changes', () => {
  test('is answered line by line, in order, with the counts at the end', async () => {
    const body = [
      change('s1', 1),
      change('s1', 2),
      change('s2', 'high'),
      '\n',
      'no json\n',
      '{"op":"patch"}\n',
      '{"op":"put","record":{"id":"s3","height":1},"more":1}\n',
      change('s1', 3, { expected_version: 'other' }),
      change('s4', 1, { expected_version: null, event: 'station.created' }),
      '{"op":"delete","id":"s1"}\n',
      '{"op":"delete","id":"s1"}',
    ].join('');
    const response = await running.admin('/resources/stations/changes', {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-ndjson' },
      body,
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/x-ndjson');
    const results = (await response.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    expect(results).toMatchObject([
      { line: 1, status: 'changed', id: 's1', transition: 'create' },
      { line: 2, status: 'changed', id: 's1', transition: 'update' },
      { line: 3, status: 'refused', code: 'record_invalid', pointer: '/height' },
      { line: 5, status: 'refused', code: 'line_not_json' },
      { line: 6, status: 'refused', code: 'change_malformed' },
      { line: 7, status: 'refused', code: 'change_malformed', message: expect.stringContaining('more') },
      { line: 8, status: 'refused', code: 'version_conflict', present_version: expect.any(String) },
      { line: 9, status: 'changed', id: 's4' },
      { line: 10, status: 'changed', transition: 'delete' },
      { line: 11, status: 'unchanged' },
      { done: true, lines: 10, changed: 4, unchanged: 1, refused: 5 },
    ]);
  });

  test('refuses lines that would not be kept as they are written', async () => {
    const body = [
      '{"op":"put","record":{"id":"x1","height":9007199254740993}}',
      '{"op":"put","record":{"id":"x1","height":1,"height":2}}',
      '{"op":"put","record":{"id":"x1","height":1},"record":{"id":"x2","height":1}}',
      '{"op":"delete","op":"put","record":{"id":"x1","height":1}}',
      '{"op":"put","record":{"id":"x1","height":1.50}}',
    ].join('\n');
    const response = await running.admin('/resources/stations/changes', {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-ndjson' },
      body,
    });
    const results = (await response.text()).trim().split('\n');
    expect(results.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { line: 1, status: 'refused', code: 'record_invalid', pointer: '/height' },
      { line: 2, status: 'refused', code: 'record_invalid', pointer: '/height' },
      { line: 3, status: 'refused', code: 'change_malformed', pointer: '/record' },
      { line: 4, status: 'refused', code: 'change_malformed', pointer: '/op' },
      { line: 5, status: 'changed', id: 'x1' },
      { done: true, lines: 5, changed: 1, refused: 4 },
    ]);
    expect(await stored('x1')).toEqual({ id: 'x1', height: 1.5 });
  });

  test('gives each result as soon as the line is written, while the client goes on sending', async () => {
    const { sent, answer } = await openStream();
    const response = await answer;
    const lines = createInterface({ input: response })[Symbol.asyncIterator]();
    for (const height of [1, 2, 3]) {
      sent.write(change('live', height));
      const { value } = await lines.next();
      expect(JSON.parse(String(value))).toMatchObject({ line: height, status: 'changed' });
      expect(await stored('live')).toMatchObject({ height });
    }
    sent.end();
    const { value } = await lines.next();
    expect(JSON.parse(String(value))).toMatchObject({ done: true, changed: 3 });
  });

  test('stops when the client does not read, and goes on when it does', async () => {
    const count = 150_000;
    const { sent, answer } = await openStream();
    const response = await answer;
    response.pause();
    const source = running.gateway.store.source('stations');
    const before = (await source.head()).position;
    const writing = (async () => {
      for (let from = 0; from < count; from += 500) {
        const lines = Array.from({ length: 500 }, (_, index) => change(`p${from + index}`, 1)).join('');
        if (!sent.write(lines)) await once(sent, 'drain');
      }
      sent.end();
    })();
    let seen = -1;
    let written = 0;
    // The same position in two looks a second apart: nothing is read or written any more.
    while (written !== seen) {
      seen = written;
      await new Promise((done) => setTimeout(done, 1_000));
      written = (await source.head()).position - before;
    }
    expect(written).toBeGreaterThan(0);
    expect(written).toBeLessThan(count / 2);
    const results = (await text(response)).trim().split('\n');
    await writing;
    expect(results).toHaveLength(count + 1);
    expect(JSON.parse(results.at(-1) ?? '')).toEqual({
      done: true,
      lines: count,
      changed: count,
      unchanged: 0,
      refused: 0,
    });
    expect((await source.head()).position - before).toBe(count);
  });

  test('ends with what was written when the client goes away', async () => {
    const { sent, answer } = await openStream();
    const response = await answer;
    response.on('error', () => {});
    sent.write(change('gone', 1));
    await once(response, 'data');
    sent.destroy();
    await expect.poll(() => stored('gone')).toEqual({ id: 'gone', height: 1 });
    expect((await put({ id: 'after', height: 1 }, {}, 'after')).status).toBe(201);
  });

  test('says so when the store fails on the way', async () => {
    await using other = await adminGateway();
    const sent = request(`${other.url}/resources/stations/changes`, {
      method: 'POST',
      agent: false,
      headers: { Authorization: `Bearer ${ADMIN_TOKEN}`, 'Content-Type': 'application/x-ndjson' },
    });
    sent.write(change('a', 1));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const lines = createInterface({ input: response })[Symbol.asyncIterator]();
    await lines.next();
    await other.gateway.store.close();
    sent.end(change('b', 1));
    const { value } = await lines.next();
    expect(JSON.parse(String(value))).toEqual({
      done: false,
      lines: 1,
      changed: 1,
      unchanged: 0,
      refused: 0,
      code: 'store_unavailable',
      message: 'The store cannot be reached now.',
      retryable: true,
    });
  });

  test('has to be NDJSON', async () => {
    const response = await running.admin('/resources/stations/changes', {
      method: 'POST',
      headers: json,
      body: '{}',
    });
    expect(response.status).toBe(415);
  });
});
