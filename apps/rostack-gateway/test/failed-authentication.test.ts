import { once } from 'node:events';
import { createSharedToken } from 'rostack-server';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { Gateway } from '../src/serving/gateway/gateway.ts';
import { adminGateway } from './support/admin-gateway.ts';
import { bearing, get } from './support/get.ts';
import { caOf, follow, tokenFor } from './support/observed.ts';

/** What becomes of a WebSocket that presents a token: the code of the error and of the close. */
async function present(gateway: Gateway, token: string): Promise<unknown[]> {
  const { websocket } = gateway.implementation.discovery.endpoints;
  const socket = new WebSocket(websocket, 'rostack.v1', { ca: caOf(gateway) });
  await once(socket, 'open');
  const closed = once(socket, 'close');
  socket.send(JSON.stringify({ type: 'authenticate', method: 'shared_token', token }));
  const [data] = (await once(socket, 'message')) as [Buffer];
  const { code } = JSON.parse(data.toString()) as { code: string };
  return [code, (await closed)[0]];
}

describe('failed authentications', () => {
  test('of an address take nothing from right credentials there, over HTTP and WebSocket', async () => {
    await using running = await adminGateway();
    const { gateway } = running;
    const token = await tokenFor(gateway);
    const ca = caOf(gateway);
    const list = async (presented: string) =>
      (await get(`${gateway.url}/api/stations`, { ca, headers: bearing(presented) })).status;
    const statuses = await Promise.all(Array.from({ length: 80 }, () => list(createSharedToken().token)));
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
    expect(statuses.filter((status) => status === 401)).toHaveLength(60);
    expect(await list(token)).toBe(200);
    (await follow(gateway, token)).terminate();
  });

  test('over HTTP and WebSocket have one budget, and are counted in the metrics', async () => {
    await using running = await adminGateway({
      sections: 'rates: { failed_authentications: { attempts: 3, window: 1h } }',
    });
    const { gateway } = running;
    const wrong = createSharedToken().token;
    const list = () => get(`${gateway.url}/api/stations`, { ca: caOf(gateway), headers: bearing(wrong) });
    expect((await list()).status).toBe(401);
    expect(await present(gateway, wrong)).toEqual(['authentication_failed', 4401]);
    expect((await list()).status).toBe(401);
    expect(await present(gateway, wrong)).toEqual(['rate_limited', 4429]);
    const limited = await list();
    expect(limited).toMatchObject({ status: 429, body: { retry_after_ms: expect.any(Number) } });
    (await follow(gateway, await tokenFor(gateway))).terminate();
    const metrics = await (await running.admin('/metrics')).text();
    for (const [via, isLimited, count] of [
      ['http', false, 2],
      ['http', true, 1],
      ['websocket', false, 1],
      ['websocket', true, 1],
    ]) {
      expect(metrics).toContain(
        `rostack_authentication_failures_total{via="${via}",reason="unknown",limited="${isLimited}"} ${count}\n`,
      );
    }
  });
});
