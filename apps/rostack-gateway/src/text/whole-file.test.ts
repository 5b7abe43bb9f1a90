import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from 'test-support/temporary-folder';
import { expect, test } from 'vitest';
import { readIfPresent, writeWhole } from './whole-file.ts';

test('a file is replaced as a whole, with its mode, in a folder that is made for its owner', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'inner', 'file');
  expect(await readIfPresent(path)).toBeUndefined();
  for (const text of ['first', 'second']) await writeWhole(path, text, 0o600);
  expect(await readFile(path, 'utf8')).toBe('second');
  expect([(await stat(path)).mode & 0o777, (await stat(join(folder.path, 'inner'))).mode & 0o777]).toEqual([
    0o600, 0o700,
  ]);
  expect(await readdir(join(folder.path, 'inner'))).toEqual(['file']);
});

test('a draft that cannot take the place of the file is removed, and the failure told', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'file');
  await mkdir(path);
  await expect(writeWhole(path, 'text', 0o600)).rejects.toMatchObject({ syscall: 'rename' });
  expect(await readdir(folder.path)).toEqual(['file']);
  await expect(readIfPresent(path)).rejects.toMatchObject({ code: 'EISDIR' });
});
