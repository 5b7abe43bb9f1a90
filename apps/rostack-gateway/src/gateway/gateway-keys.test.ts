import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ensureSecrets } from './gateway-keys.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'secrets-file-'));
});

afterEach(() => rm(folder, { recursive: true }));

test('makes three different keys of 32 bytes and gives the same ones back after a restart', async () => {
  const path = join(folder, 'deep', 'secrets.json');
  const first = await ensureSecrets(path);
  const keys = Object.values(first).map((key: Uint8Array) => Buffer.from(key).toString('hex'));
  expect(new Set(keys).size).toBe(3);
  expect(keys.map((key) => key.length)).toEqual([64, 64, 64]);
  expect(await ensureSecrets(path)).toEqual(first);
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
