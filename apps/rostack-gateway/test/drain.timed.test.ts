import { temporaryFolder } from 'test-support/temporary-folder';
import { describe, expect, test } from 'vitest';
import { ADMIN, ADMIN_TOKEN, adminOf, createTokenIn, follow, put } from './support/operating.ts';
import { startGateway } from './support/running-gateway.ts';
import { writeSampleConfig } from './support/sample-config.ts';

describe('SIGTERM', () => {
  test('drains: followers are told, served until the drain time is over, and the process ends with 0', async () => {
    await using folder = await temporaryFolder();
    const config = await writeSampleConfig(folder.path, {
      sections: `${ADMIN}\nshutdown: { drain_time: 2s }`,
    });
    const token = await createTokenIn(config, { ADMIN_TOKEN });
    await using gateway = await startGateway(folder.path, { ADMIN_TOKEN });
    const admin = await adminOf(gateway);
    const follower = await follow(gateway, token);
    const startedAtMs = performance.now();
    const exited = gateway.process.stop('SIGTERM');
    await expect
      .poll(() => follower.messages.at(-1))
      .toMatchObject({ type: 'go_away', drain_timeout_ms: 2_000 });
    expect((await fetch(`${admin}/readyz`)).status).toBe(503);
    expect((await put(admin, 'late', 1)).status).toBe(201);
    await expect
      .poll(() => follower.messages.at(-1))
      .toMatchObject({ type: 'event', event_type: 'station.created', resource_id: 'late' });
    await expect(gateway.get('/.well-known/rostack')).rejects.toThrow('ECONNREFUSED');
    expect(await follower.closed).toBe(4410);
    expect(await exited).toBe(0);
    const tookMs = performance.now() - startedAtMs;
    expect(tookMs).toBeGreaterThan(1_500);
    expect(tookMs).toBeLessThan(8_000);
  });
});
