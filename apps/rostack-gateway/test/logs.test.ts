import { describe, expect, test } from 'vitest';
import { logHooks } from '../src/observe/hooks.ts';
import { createLogger } from '../src/observe/log/logger.ts';
import { Repeats } from '../src/observe/log/repeats.ts';
import { ADMIN_TOKEN, adminGateway } from './support/admin-gateway.ts';
import { bearing, get } from './support/get.ts';
import { caOf, follow, Lines, tokenFor } from './support/observed.ts';

describe('logs', () => {
  test('are one JSON object a line, with the request id that the client gets, and no credential ever', async () => {
    const destination = new Lines();
    const otlpSecret = 'otlp-secret-0123456789';
    const logger = createLogger({
      level: 'debug',
      format: 'json',
      destination,
      secrets: [ADMIN_TOKEN, otlpSecret],
    });
    await using running = await adminGateway({ dependencies: { logger } });
    const { gateway } = running;
    const token = await tokenFor(gateway);
    const ca = caOf(gateway);
    const jwt = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJzb21lYm9keSJ9.c2lnbmF0dXJl';
    const secrets = [token.split('_')[2] ?? '', ADMIN_TOKEN, jwt, otlpSecret, 'hunter2hunter2'];

    const listed = await get(`${gateway.url}/api/stations`, { ca, headers: bearing(token) });
    const named = await get(`${gateway.url}/api/stations`, { ca, headers: { 'X-Request-Id': 'mine-1' } });
    // Credentials where they do not belong: in paths, in queries, in fields of another meaning.
    for (const path of [
      `/api/stations/${token}`,
      `/api/${token}`,
      `/api/stations?access_token=${token}`,
      `/${jwt}`,
    ]) {
      await get(`${gateway.url}${path}`, {
        ca,
        headers: { 'X-Request-Id': token, Authorization: `Bearer ${jwt}` },
      });
    }
    await running.admin(`/resources/stations/${token}`, { method: 'DELETE' });
    await running.admin(`/resources/${encodeURIComponent(ADMIN_TOKEN)}/x`, { method: 'DELETE' });
    await running.admin('/metrics', { token: `${ADMIN_TOKEN}x` });
    (await follow(gateway, token)).terminate();
    logger.error(
      { err: new Error(`connect to postgres://gateway:hunter2hunter2@db/x with ${otlpSecret} failed`) },
      'x',
    );
    logger.warn(`header Authorization: Rostack-Token ${token}`);

    const requests = destination.objects.filter(({ msg }) => msg === 'request');
    expect(requests[0]).toMatchObject({
      level: 30,
      requestId: listed.headers['x-request-id'],
      method: 'GET',
      path: '/api/stations',
      operation: 'list',
      resource: 'stations',
      status: 200,
      durationMs: expect.any(Number),
      principalId: expect.any(String),
      clientAddress: '127.0.0.1',
    });
    expect(requests[1]).toMatchObject({
      requestId: 'mine-1',
      status: 401,
      problem: 'authentication-required',
    });
    expect(named.body).toMatchObject({ request_id: 'mine-1' });
    expect(destination.objects.map(({ msg }) => msg)).toEqual(
      expect.arrayContaining(['admin request', 'connected', 'authenticated']),
    );
    for (const secret of secrets) expect(destination.text).not.toContain(secret);
    expect(destination.text).toContain('[redacted]');
  });

  test('of a database that is away say why, under the request id of the client, and need no stack', async () => {
    const destination = new Lines();
    const logger = createLogger({ level: 'info', format: 'json', destination, secrets: [] });
    await using running = await adminGateway({ dependencies: { logger } });
    const { gateway } = running;
    const token = await tokenFor(gateway);
    const ca = caOf(gateway);
    // Known to the authenticator, so that the request comes to the records.
    await get(`${gateway.url}/api/stations`, { ca, headers: bearing(token) });
    await gateway.store.close();
    const failed = await get(`${gateway.url}/api/stations/a`, { ca, headers: bearing(token) });
    expect(failed.status).toBe(503);
    const { request_id: requestId } = failed.body as { request_id: string };
    expect(destination.objects).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ level: 40, requestId, reason: 'The database connection is not open' }),
        expect.objectContaining({ level: 40, requestId, status: 503, problem: 'service-unavailable' }),
      ]),
    );
  });

  test('of unexpected errors have their stack', () => {
    const destination = new Lines();
    const logger = createLogger({ level: 'info', format: 'json', destination, secrets: [] });
    const context = { requestId: 'r1', operation: 'list', resource: 'stations' } as const;
    logHooks(logger, new Repeats(logger)).onError?.(new RangeError('out of bounds'), context);
    expect(destination.objects).toMatchObject([
      {
        level: 50,
        requestId: 'r1',
        err: { message: 'out of bounds', stack: expect.stringContaining('logs.test') },
      },
    ]);
  });

  test('can be text for people', () => {
    const destination = new Lines();
    createLogger({ level: 'info', format: 'text', destination, secrets: [] }).info(
      { port: 1, a: { b: 2 } },
      'serving',
    );
    expect(destination.text).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z info serving port=1 a=\{"b":2\}\n$/);
  });
});
