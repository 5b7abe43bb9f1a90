import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { adminGateway } from './support/admin-gateway.ts';
import { bearing, get } from './support/get.ts';
import { caOf, follow, records, tokenFor } from './support/observed.ts';
import { valueOf } from './support/value-of.ts';

/** Of the record of a canary. */
const canarySchema = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'written_at'],
  properties: { id: { type: 'string' }, written_at: { type: 'string' }, height: { type: 'number' } },
};

describe('metrics', () => {
  test('count requests by route and problem, connections, events, and where the log and its readers stand', async () => {
    await using running = await adminGateway();
    const { gateway } = running;
    const token = await tokenFor(gateway);
    const ca = caOf(gateway);
    await gateway.store.apply(records(5));
    const paths = [
      '/api/stations',
      '/api/stations',
      '/api/stations/absent',
      '/api/stations?limit=x',
      '/.well-known/rostack',
    ];
    for (const path of paths) await get(`${gateway.url}${path}`, { ca, headers: bearing(token) });
    await get(`${gateway.url}/api/stations`, { ca });
    const socket = await follow(gateway, token);
    const received = once(socket, 'message');
    await gateway.store.apply([{ resource: 'stations', op: 'delete', id: 's0' }]);
    await received;

    const response = await running.admin('/metrics');
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    const metrics = await response.text();
    const list = { operation: 'list', resource: 'stations' };
    expect(valueOf(metrics, 'rostack_http_requests_total', { ...list, status: '200', problem: 'none' })).toBe(
      2,
    );
    expect(valueOf(metrics, 'rostack_http_requests_total', { ...list, problem: 'invalid-request' })).toBe(1);
    expect(
      valueOf(metrics, 'rostack_http_requests_total', { ...list, problem: 'authentication-required' }),
    ).toBe(1);
    expect(
      valueOf(metrics, 'rostack_http_requests_total', { operation: 'get', problem: 'resource-not-found' }),
    ).toBe(1);
    expect(valueOf(metrics, 'rostack_http_request_duration_seconds_count', { operation: 'list' })).toBe(4);
    const stations = { resource: 'stations' };
    expect({
      connections: valueOf(metrics, 'rostack_websocket_connections'),
      subscriptions: valueOf(metrics, 'rostack_resource_subscriptions', stations),
      paused: valueOf(metrics, 'rostack_websocket_paused_connections'),
      events: valueOf(metrics, 'rostack_events_total', stations),
      head: valueOf(metrics, 'rostack_log_head_position', stations),
      floor: valueOf(metrics, 'rostack_log_floor_position', stations),
      lag: valueOf(metrics, 'rostack_tail_lag_changes', stations),
      oldest: valueOf(metrics, 'rostack_oldest_cursor_lag_changes', stations),
      margin: valueOf(metrics, 'rostack_oldest_cursor_retention_margin_changes', stations),
      up: valueOf(metrics, 'rostack_store_up'),
    }).toEqual({
      connections: 1,
      subscriptions: 1,
      paused: 0,
      events: 1,
      head: 6,
      floor: 0,
      lag: 0,
      oldest: 0,
      margin: 6,
      up: 1,
    });
    expect(valueOf(metrics, 'rostack_delivery_seconds_count', stations)).toBe(1);
    expect(valueOf(metrics, 'rostack_delivery_seconds_sum', stations)).toBeLessThan(5);
    expect(valueOf(metrics, 'rostack_canary_seconds_count')).toBeUndefined();
    expect(valueOf(metrics, 'rostack_ring_bytes', stations)).toBeGreaterThan(512);
    // The query was asked twice, with a page of 5 records for the second time.
    expect(valueOf(metrics, 'rostack_page_cache_bytes')).toBeGreaterThan(256);
    expect(valueOf(metrics, 'rostack_store_statements')).toBeGreaterThan(0);
    expect(valueOf(metrics, 'rostack_tail_lag_seconds', stations)).toBeLessThan(5);
    expect(valueOf(metrics, 'process_resident_memory_bytes')).toBeGreaterThan(0);
    for (const line of metrics.split('\n').filter((line) => line.startsWith('rostack_'))) {
      expect(line).toMatch(/^rostack_[a-z_]+(?:\{[^{}]*\})? -?[\d.e+-]+$/);
    }

    socket.close();
    await once(socket, 'close');
    await expect
      .poll(async () =>
        valueOf(await (await running.admin('/metrics')).text(), 'rostack_websocket_closes_total', {
          code: '1005',
        }),
      )
      .toBe(1);
  });

  test('have each alarm from the start, so that the first one is an increase', async () => {
    await using running = await adminGateway();
    const metrics = await (await running.admin('/metrics')).text();
    for (const kind of ['database_moved', 'changes_lost', 'log_reset', 'rates_not_shared'])
      expect(valueOf(metrics, 'rostack_alarms_total', { kind })).toBe(0);
  });

  test('are those of the guide', async () => {
    await using running = await adminGateway({
      environment: { CANARY_TOKEN: 'none' },
      schema: canarySchema,
      sections:
        'metrics: { process: false, canary: { resource: stations, token: { env: CANARY_TOKEN }, interval: 1h } }',
    });
    const metrics = await (await running.admin('/metrics')).text();
    const names = [...metrics.matchAll(/^# TYPE (\w+) /gm)].map((match) => match[1]);
    const guide = readFileSync(new URL('../../../docs/guides/operating.md', import.meta.url), 'utf8');
    const told = [...guide.matchAll(/`(rostack_\w+)(?:\{([\w,]*)\})?`/g)];
    // The last two are of a machine with workers.
    const all = [...names, 'rostack_workers', 'rostack_worker_restarts_total'];
    expect(new Set(told.map((match) => match[1]))).toEqual(new Set(all));
  });

  test('can be left out', async () => {
    await using running = await adminGateway({ sections: 'metrics: { enabled: false }' });
    expect((await running.admin('/metrics')).status).toBe(404);
  });
});
