import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ensureSecrets, gatewayKeys } from './gateway-keys.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'secrets-file-'));
});

afterEach(() => rm(folder, { recursive: true }));

test('makes keys of 32 bytes and gives the same ones back after a restart', async () => {
  const path = join(folder, 'deep', 'secrets.json');
  const { principalId, cursorKeys } = await ensureSecrets(path);
  const { events, pages } = cursorKeys;
  expect([events.length, pages.current.bytes.length]).toEqual([32, 32]);
  expect(events).not.toEqual(pages.current.bytes);
  const again = await ensureSecrets(path);
  expect(again.cursorKeys).toEqual(cursorKeys);
  expect(again.principalId('shared_token', 'me')).toBe(principalId('shared_token', 'me'));
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test('refuses a damaged file without showing what is in it', async () => {
  const path = join(folder, 'secrets.json');
  await writeFile(path, '{"format":1,"principal_id_key":"c0ffee"}');
  const error = await ensureSecrets(path).catch((caught: unknown) => caught);
  expect(error).toMatchObject({ code: 'secrets_file_invalid' });
  expect(String(error)).toContain(path);
  expect(String(error)).not.toContain('c0ffee');
});

test('a replica takes the keys of others, and makes none', async () => {
  const config = { keys: undefined, dataDir: folder };
  const replica = { ...config, store: { role: 'replica' } } as const;
  await expect(gatewayKeys(replica)).rejects.toMatchObject({ code: 'config_invalid' });
  const { cursorKeys } = await gatewayKeys({ ...config, store: { role: 'primary' } });
  expect((await gatewayKeys(replica)).cursorKeys).toEqual(cursorKeys);
});
