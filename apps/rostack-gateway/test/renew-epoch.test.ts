import { temporaryFolder } from 'test-support/temporary-folder';
import { expect, test } from 'vitest';
import { bearing } from './support/get.ts';
import { ADMIN, ADMIN_TOKEN, adminOf, createTokenIn, follow, put } from './support/operating.ts';
import { runCommand } from './support/run-command.ts';
import { startGateway } from './support/running-gateway.ts';
import { writeSampleConfig } from './support/sample-config.ts';

test('renew-epoch voids all cursors while a gateway runs, and leaves records and their versions alone', async () => {
  await using folder = await temporaryFolder();
  const config = await writeSampleConfig(folder.path, { sections: ADMIN });
  const environment = { ADMIN_TOKEN };
  await using gateway = await startGateway(folder.path, environment);
  const token = await createTokenIn(config, environment);
  const admin = await adminOf(gateway);
  await put(admin, 'a', 1);
  await put(admin, 'b', 1);
  const follower = await follow(gateway, token);
  const headers = bearing(token);
  const list = async () => {
    const { body } = await gateway.get('/api/stations?limit=1', { headers });
    return (body as { page: { next_cursor: string; event_cursor: string } }).page;
  };
  const page = await list();
  const item = await gateway.get('/api/stations/a', { headers });

  const renewed = await runCommand(['renew-epoch', '--config', config], { environment });
  expect(renewed).toMatchObject({ exitCode: 0, stderr: '' });
  const [epoch, before] = /^the epoch is (\S+), and was (\S+)\n/.exec(renewed.stdout)?.slice(1) ?? [];
  expect(page.event_cursor).toContain(`.${before}.`);

  await expect.poll(() => follower.messages.at(-1)).toMatchObject({ code: 'cursor_unavailable' });
  const next = await gateway.get(`/api/stations?limit=1&cursor=${page.next_cursor}`, { headers });
  expect(next.status).toBe(400);
  expect((await list()).event_cursor).toContain(`.${epoch}.2.`);
  const again = await gateway.get('/api/stations/a', {
    headers: { ...headers, 'If-None-Match': item.headers.etag ?? '' },
  });
  expect(again.status).toBe(304);
});

test('renew-epoch says what is wrong with its configuration', async () => {
  await using folder = await temporaryFolder();
  const wrong = await runCommand(['renew-epoch', '--config', `${folder.path}/absent.yaml`]);
  expect(wrong).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('absent.yaml') });
  const config = await writeSampleConfig(folder.path, { storeUrl: 'postgres' });
  const environment = { STORE_URL: 'postgres://nobody@127.0.0.1:1/none' };
  expect(await runCommand(['renew-epoch', '--config', config], { environment })).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('error: '),
  });
});
