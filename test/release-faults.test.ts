import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { publishablePackages } from '../scripts/publishable-packages.ts';
import { releaseFaults } from '../scripts/release-faults.ts';

test('a release waits for changesets and for changelogs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'release-'));
  const one = { name: 'one', version: '1.2.0', directory: 'packages/one' };
  try {
    mkdirSync(join(folder, '.changeset'));
    mkdirSync(join(folder, 'packages/one'), { recursive: true });
    writeFileSync(join(folder, '.changeset/brave-cats.md'), '');
    writeFileSync(join(folder, 'packages/one/CHANGELOG.md'), '# one\n\n## 1.1.0\n');
    expect(releaseFaults(folder, [one], { unversioned: false })).toEqual([
      'Changesets wait: brave-cats.md. Run `npm run versions` and merge the result first.',
      'packages/one/CHANGELOG.md begins with 1.1.0, but one is 1.2.0.',
    ]);
    writeFileSync(join(folder, 'packages/one/CHANGELOG.md'), '# one\n\n## 1.2.0\n\n## 1.1.0\n');
    expect(releaseFaults(folder, [one], { unversioned: true })).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('every package has a changelog that begins with its version', () => {
  expect(
    releaseFaults(resolve(import.meta.dirname, '..'), publishablePackages(), { unversioned: true }),
  ).toEqual([]);
});
