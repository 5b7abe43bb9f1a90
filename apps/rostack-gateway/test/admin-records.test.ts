import { pino } from 'pino';
import type { Store, StoreChange } from 'rostack-store';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAdminApp } from '../src/admin/admin-app.ts';
import { failedAttempts } from '../src/admin/admin-listener.ts';
import { machineHealth } from '../src/cluster/peers/peers-health.ts';
import { QuarantineWatch } from '../src/observe/health/quarantine-watch.ts';
import { ReadinessCheck, type Running } from '../src/observe/health/readiness.ts';
import { ADMIN_TOKEN, type AdminGateway, adminGateway } from './support/admin-gateway.ts';

const json = { 'Content-Type': 'application/json' };

let running: AdminGateway;

beforeAll(async () => {
  running = await adminGateway();
});

afterAll(() => running[Symbol.asyncDispose]());

const lastEvent = async () => {
  const source = running.gateway.store.source('stations');
  const { position } = await source.head();
  const [change] = await source.read(position - 1, 1);
  return change?.eventType;
};

/** The admin listener of a gateway that has this store. */
function appOver(store: Store | undefined) {
  const failures = { rateLimiter: failedAttempts(), onRefused: () => {} };
  const running: Running = {
    resources: ['fed', 'plain'],
    store,
    status: undefined,
    tables: [],
    quarantine: new QuarantineWatch({ store: undefined, tables: [] }),
    isDraining: false,
    certificateExpiresAtMs: undefined,
    countsAlone: false,
  };
  const readiness = new ReadinessCheck({ maxTailLagMs: 1, storeTimeoutMs: 1, writeTrialIntervalMs: 1 });
  const unused = () => Promise.reject(new Error('nobody asks for it'));
  return createAdminApp({
    token: ADMIN_TOKEN,
    failures,
    running,
    health: machineHealth({ look: () => readiness.look(running), read: unused }, undefined, 1),
    report: unused,
    metrics: undefined,
    idPaths: new Map([
      ['fed', ['id']],
      ['plain', ['id']],
    ]),
    readOnly: new Map([['fed', 'the table public.fed']]),
    maxRecordBytes: 1_000,
    logger: pino({ level: 'silent' }),
  });
}

describe('PUT and DELETE of a record', () => {
  test('write, replace and delete it, and say what they did', async () => {
    const created = await running.put({ id: 'a', height: 1 });
    expect(created.status).toBe(201);
    const first = (await created.json()) as { version: string };
    expect(first).toMatchObject({ id: 'a', changed: true, transition: 'create' });
    expect(created.headers.get('etag')).toBe(`"${first.version}"`);
    expect(await (await running.put({ id: 'a', height: 1 })).json()).toMatchObject({ changed: false });
    const replaced = await running.put({ id: 'a', height: 2 });
    expect(replaced.status).toBe(200);
    expect(await replaced.json()).toMatchObject({ changed: true, transition: 'update' });
    expect(await running.stored('a')).toEqual({ id: 'a', height: 2 });
    expect(await (await running.remove('a')).json()).toMatchObject({ changed: true, transition: 'delete' });
    expect(await (await running.remove('a')).json()).toMatchObject({ changed: false });
    expect(await running.stored('a')).toBe('gone');
  });

  test('take ids with any character', async () => {
    const id = 'a/b c%?#"한';
    expect((await running.put({ id, height: 1 }, {}, encodeURIComponent(id))).status).toBe(201);
    expect(await running.stored(id)).toEqual({ id, height: 1 });
    expect((await running.remove(encodeURIComponent(id))).status).toBe(200);
  });

  test('happen only under the version that If-Match names', async () => {
    const { version } = (await (await running.put({ id: 'm', height: 1 }, {}, 'm')).json()) as {
      version: string;
    };
    const stale = await running.put({ id: 'm', height: 2 }, { 'If-Match': '"other"' }, 'm');
    expect(stale.status).toBe(412);
    expect(await stale.json()).toMatchObject({ code: 'version_conflict', present_version: version });
    const exclusive = await running.put({ id: 'm', height: 2 }, { 'If-None-Match': '*' }, 'm');
    expect(exclusive.status).toBe(412);
    expect((await running.put({ id: 'm', height: 3 }, { 'If-Match': `"${version}"` }, 'm')).status).toBe(200);
    expect((await running.put({ id: 'm', height: 4 }, { 'If-Match': '*' }, 'm')).status).toBe(200);
    expect((await running.remove('m', { 'If-Match': `"${version}"` })).status).toBe(412);
    expect((await running.remove('absent', { 'If-Match': '*' })).status).toBe(412);
    expect((await running.remove('m', { 'If-Match': '*' })).status).toBe(200);
    expect((await running.put({ id: 'm', height: 1 }, { 'If-None-Match': '*' }, 'm')).status).toBe(201);
    for (const field of ['unquoted', '"a", "b"', 'W/"a"']) {
      expect((await running.remove('m', { 'If-Match': field })).status).toBe(400);
    }
  });

  test('do not recreate a record under If-Match: * that another request deletes at the same moment', async () => {
    const { store } = running.gateway;
    await running.put({ id: 'plain', height: 1 }, {}, 'plain');
    // Whoever looks at the record finds it, and then it is deleted.
    const source = {
      get: async (id: string) => {
        const found = await store.source('stations').get(id);
        await store.apply([{ resource: 'stations', op: 'delete', id }]);
        return found;
      },
    };
    const apply = ([change]: readonly StoreChange[]) =>
      store.apply(change === undefined ? [] : [{ ...change, resource: 'stations' }]);
    const app = appOver({ source: () => source, apply } as unknown as Store);
    const response = await app.request('/resources/plain/plain', {
      method: 'PUT',
      headers: { ...json, Authorization: `Bearer ${ADMIN_TOKEN}`, 'If-Match': '*' },
      body: JSON.stringify({ id: 'plain', height: 2 }),
    });
    expect([response.status, await response.json()]).toMatchObject([412, { code: 'version_conflict' }]);
    expect(await running.stored('plain')).toBe('gone');
  });

  test('are refused under conditions that exclude each other, or that are none', async () => {
    for (const conditions of [
      { 'If-Match': '"a"', 'If-None-Match': '*' },
      { 'If-Match': '*', 'If-None-Match': '*' },
      { 'If-None-Match': '"a"' },
    ]) {
      const refused = await running.put({ id: 'both', height: 1 }, conditions, 'both');
      expect([refused.status, await refused.json()]).toMatchObject([400, { code: 'request_invalid' }]);
    }
    // Nothing was written under any of them.
    expect((await running.put({ id: 'both', height: 1 }, { 'If-None-Match': '*' }, 'both')).status).toBe(201);
  });

  test('name the event by a header field or by the query', async () => {
    const fitting = await running.put({ id: 'e', height: 1 }, { 'X-Rostack-Event': 'station.created' }, 'e');
    expect(fitting.status).toBe(201);
    expect(await lastEvent()).toBe('station.created');
    const other = await running.admin('/resources/stations/e?event=station.created', { method: 'DELETE' });
    expect(other.status).toBe(422);
    expect(await other.json()).toMatchObject({
      code: 'change_invalid',
      detail: expect.stringContaining('transition of this change in stations is delete'),
    });
  });

  test('name the event along with a condition', async () => {
    const headers = { 'X-Rostack-Event': 'station.unheard', 'If-None-Match': '*' };
    const refused = await running.put({ id: 'n', height: 1 }, headers, 'n');
    expect([refused.status, await refused.json()]).toMatchObject([422, { code: 'change_invalid' }]);
  });

  test.each([
    [{ id: 'b', height: 1 }, 400, 'request_invalid', 'The id in the record is "b"'],
    [{ id: 'a' }, 422, 'record_invalid', 'height'],
    [{ id: 'a', height: 1, more: 1 }, 422, 'record_invalid', 'additional'],
    [{ id: 'a', height: 1, name: 'x'.repeat(1_100_000) }, 413, 'body_too_large', '1048576'],
    [[], 400, 'request_invalid', 'not an object'],
  ])('refuse %j', async (record, status, code, detail) => {
    const response = await running.put(record);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ status, code, detail: expect.stringContaining(detail) });
  });

  test.each([
    ['{"id":"a","height":9007199254740993}', '/height', 'has more digits than a JSON number keeps'],
    ['{"id":"a","height":12345678901234567890}', '/height', 'has more digits'],
    ['{"id":"a","height":1e400}', '/height', 'is beyond the range'],
    ['{"id":"a","height":1,"height":1}', '/height', 'is repeated'],
    ['{"id":"a","height":1,"__proto__":{},"__proto__":{}}', '/__proto__', 'is repeated'],
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
    const app = appOver(undefined);
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
