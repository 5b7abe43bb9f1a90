import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { publishablePackages } from '../scripts/publishable-packages.ts';
import { NPM_REGISTRY, releaseFaults } from '../scripts/release-faults.ts';

const root = resolve(import.meta.dirname, '..');
const RELEASE = { registry: NPM_REGISTRY, rehearsal: false };
const REHEARSAL = { registry: 'http://127.0.0.1:1/', rehearsal: true };

let folder: string;
const write = (path: string, text: string) => writeFileSync(join(folder, path), text);
const git = (...args: string[]) => {
  const who = ['-c', 'user.name=A', '-c', 'user.email=a@a.example', '-c', 'commit.gpgsign=false'];
  execFileSync('git', [...who, ...args], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'release-'));
  mkdirSync(join(folder, '.changeset'));
  mkdirSync(join(folder, 'packages/one'), { recursive: true });
  write('packages/one/CHANGELOG.md', '# one\n\n## 1.2.0\n\n## 1.1.0\n');
  git('init', '--quiet', '--initial-branch=main');
  git('add', '.');
  git('commit', '--quiet', '--message=First');
});

afterEach(() => rmSync(folder, { recursive: true }));

const one = { name: 'one', version: '1.2.0', directory: 'packages/one' };

test('a release waits for changesets and for changelogs, a rehearsal for changelogs', () => {
  expect(releaseFaults(folder, [one], RELEASE)).toEqual([]);
  write('.changeset/brave-cats.md', '');
  write('packages/one/CHANGELOG.md', '# one\n\n## 1.1.0\n');
  git('add', '.');
  git('commit', '--quiet', '--message=Second');
  const changelog = 'packages/one/CHANGELOG.md begins with 1.1.0, but one is 1.2.0.';
  expect(releaseFaults(folder, [one], RELEASE)).toEqual([
    'Changesets wait: brave-cats.md. Run `npm run versions` and merge the result first.',
    changelog,
  ]);
  expect(releaseFaults(folder, [one], REHEARSAL)).toEqual([changelog]);
});

test('a release is of main, and of what is committed', () => {
  git('switch', '--quiet', '--create=topic');
  write('packages/one/CHANGELOG.md', '# one\n\n## 1.2.0\n');
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) write(name, '');
  expect(releaseFaults(folder, [one], RELEASE)).toEqual([
    'This is the branch topic, but releases are of main. Run `git switch main` first.',
    'Not committed: packages/one/CHANGELOG.md, a, b, c, d, 2 more. Commit this, or put it aside with `git stash --include-untracked`.',
  ]);
  expect(releaseFaults(folder, [one], REHEARSAL)).toEqual([]);
  git('add', '.');
  git('commit', '--quiet', '--message=Second');
  git('switch', '--quiet', '--detach');
  expect(releaseFaults(folder, [one], RELEASE)).toEqual([
    'This is no branch, but releases are of main. Run `git switch main` first.',
  ]);
});

test('a rehearsal is not for npm', () => {
  expect(releaseFaults(folder, [one], { registry: NPM_REGISTRY, rehearsal: true })).toEqual([
    'A rehearsal publishes nothing to npm: name another registry with --registry URL.',
  ]);
});

test('what keeps a release back is said by the command, which ends with 1', () => {
  cpSync(join(root, 'scripts'), join(folder, 'scripts'), { recursive: true });
  const { status, stderr } = spawnSync(process.execPath, ['scripts/release.ts'], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stderr).toContain('Not committed: scripts/. Commit this,');
});

test('every package has a changelog that begins with its version', () => {
  expect(releaseFaults(root, publishablePackages(), REHEARSAL)).toEqual([]);
});
