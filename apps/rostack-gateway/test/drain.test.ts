import { temporaryFolder } from 'test-support/temporary-folder';
import { describe, expect, test } from 'vitest';
import { ADMIN, ADMIN_TOKEN, adminOf, createTokenIn, follow, put } from './support/operating.ts';
import { startGateway } from './support/running-gateway.ts';
import { writeSampleConfig } from './support/sample-config.ts';

describe('SIGTERM', () => {
  test('an echo of the signal changes nothing, a second one later ends it at once', async () => {
    await using folder = await temporaryFolder();
    const config = await writeSampleConfig(folder.path, {
      sections: `${ADMIN}\nshutdown: { drain_time: 60s }`,
    });
    const token = await createTokenIn(config, { ADMIN_TOKEN });
    await using gateway = await startGateway(folder.path, { ADMIN_TOKEN });
    const admin = await adminOf(gateway);
    const follower = await follow(gateway, token);
    const { child } = gateway.process;
    child.kill('SIGTERM');
    child.kill('SIGTERM');
    await expect.poll(() => follower.messages.at(-1)).toMatchObject({ type: 'go_away' });
    expect((await put(admin, 'late', 1)).status).toBe(201);
    // What comes within a second is an echo.
    await expect
      .poll(
        () => {
          child.kill('SIGTERM');
          return child.signalCode;
        },
        { interval: 500 },
      )
      .toBe('SIGTERM');
  });

  test('ends at once when nobody follows', async () => {
    await using folder = await temporaryFolder();
    await writeSampleConfig(folder.path, { sections: 'shutdown: { drain_time: 1h }' });
    await using gateway = await startGateway(folder.path);
    await gateway.get('/.well-known/rostack');
    expect(await gateway.process.stop('SIGTERM')).toBe(0);
  });
});
