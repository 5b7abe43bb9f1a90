import { describe, expect, test } from 'vitest';
import { checkReadiness } from '../src/observe/readiness.ts';
import { adminGateway } from './support/admin-gateway.ts';
import { follow, tokenFor } from './support/observed.ts';

describe('health', () => {
  test('is asked without a token: alive, and ready once it serves', async () => {
    await using running = await adminGateway();
    const alive = await running.admin('/healthz', { token: null });
    expect([alive.status, await alive.json()]).toEqual([200, { status: 'ok' }]);
    const ready = await running.admin('/readyz', { token: null });
    expect([ready.status, await ready.json()]).toEqual([
      200,
      { status: 'ready', checks: { migrations: 'ok', store: 'ok', tail: 'ok', serving: 'ok' } },
    ]);
  });

  test('is not ready when the store does not answer, and while it drains', async () => {
    await using running = await adminGateway();
    const { gateway } = running;
    const socket = await follow(gateway, await tokenFor(gateway));
    await gateway.store.close();
    const down = await running.admin('/readyz');
    expect(down.status).toBe(503);
    expect(await down.json()).toMatchObject({
      status: 'not_ready',
      checks: { store: 'failed', migrations: 'ok' },
    });
    const closing = gateway.close(1_000);
    await expect
      .poll(async () => ((await (await running.admin('/readyz')).json()) as { checks: object }).checks)
      .toMatchObject({ serving: 'failed' });
    expect((await running.admin('/healthz')).status).toBe(200);
    await closing;
    socket.terminate();
  });

  test('looks at migrations, the tail and the time that the store takes', async () => {
    await using running = await adminGateway();
    const { store, status } = running.gateway;
    const serving = { resources: ['stations'], store, status, tables: [], isDraining: false };
    const limits = { maxTailLagMs: 1_000, storeTimeoutMs: 50 };
    const checksOf = async (seen: Parameters<typeof checkReadiness>[0]) =>
      (await checkReadiness(seen, limits)).checks;
    expect(await checksOf({ ...serving, store: undefined, status: undefined })).toEqual({
      migrations: 'failed',
      store: 'failed',
      tail: 'ok',
      serving: 'failed',
    });
    const [stations] = status.resources;
    if (stations === undefined) throw new Error('no status');
    const lagging = { ...status, resources: [{ ...stations, behindMs: 1_500 }] };
    expect(await checksOf({ ...serving, status: lagging })).toMatchObject({ tail: 'failed', store: 'ok' });
    const silent = { source: () => ({ head: () => new Promise(() => {}) }) } as unknown as typeof store;
    expect(await checksOf({ ...serving, store: silent })).toMatchObject({ store: 'failed' });
  });
});
