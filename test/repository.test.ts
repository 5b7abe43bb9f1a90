import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { exampleManifests } from '../scripts/example-versions.ts';
import { documentLinks, headingAnchors } from './support/document-links.ts';

const root = resolve(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const tracked = (...patterns: string[]) =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...patterns], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => file !== '' && existsSync(join(root, file)));

/** The one place that says where the repository is: `https://github.com/OWNER/NAME`. */
const { repository } = JSON.parse(read('package.json')) as { repository: { url: string } };
const repositoryUrl = repository.url.replace(/^git\+|\.git$/g, '');

const MANIFESTS = [
  'packages/*/package.json',
  'apps/*/package.json',
  'examples/*/package.json',
  'tools/*/package.json',
  'package.json',
  // What the benchmarks run beside, which npm installs.
  ':(exclude)tools/bench/peers/package.json',
];

test('pnpm is pinned to one version everywhere', () => {
  const manifest = JSON.parse(read('package.json')) as {
    packageManager: string;
    scripts: Record<string, string>;
  };
  const pin = manifest.packageManager.replace('pnpm@', '');
  expect(pin).toMatch(/^\d+\.\d+\.\d+$/);
  for (const name of ['start', 'test', 'build', 'docs']) {
    expect(manifest.scripts[name]).toContain(`npx --yes pnpm@${pin} `);
  }
  expect(read('pnpm-workspace.yaml')).toContain(`\n  pnpm: ${pin}\n`);
});

test('every file that names the repository names it as the manifest of the root does', () => {
  const address =
    /https:\/\/github\.com\/[\w.-]+\/[\w.-]+(?=\/(?:(?:blob|tree|raw)\/main\/(?:apps|docs|examples|packages|reports|schemas)|security\/advisories)\b)/g;
  const others = tracked('*.md', '**/*.md', '*.yml', '**/*.yml', 'scripts/**/*.ts', '**/src/**/*.ts')
    .filter((file) => !file.startsWith('docs/design/archive/'))
    .flatMap((file) => [...read(file).matchAll(address)].map(([found]) => `${file}: ${found}`))
    .filter((found) => !found.endsWith(`: ${repositoryUrl}`));
  expect(others, 'the repository has moved: replace its old address in these files').toEqual([]);
});

test('the lock files name no registry host', () => {
  expect(read('pnpm-lock.yaml')).not.toMatch(/https?:\/\/|tarball:/);
  expect(read('tools/bench/peers/package-lock.json')).not.toContain('"resolved"');
});

test('the peers of the benchmarks have a written reason, and the exact versions of their lock file', () => {
  const folder = 'tools/bench/peers';
  const { dependencies } = JSON.parse(read(`${folder}/package.json`)) as {
    dependencies: Record<string, string>;
  };
  const { packages } = JSON.parse(read(`${folder}/package-lock.json`)) as {
    packages: Record<string, { version: string } | undefined>;
  };
  const locked = Object.keys(dependencies).map((name) => [name, packages[`node_modules/${name}`]?.version]);
  expect(Object.fromEntries(locked)).toEqual(dependencies);
  const reasons = read('docs/design/dependencies.md');
  expect(Object.keys(dependencies).filter((name) => !reasons.includes(`\`${name}\``))).toEqual([]);
});

test('every package takes its versions from the catalog, and examples have them written out', () => {
  for (const [file, text] of exampleManifests())
    expect(read(file), `${file}: run node scripts/example-versions.ts`).toBe(text);
  for (const file of tracked(...MANIFESTS)) {
    if (file.startsWith('examples/')) continue;
    const manifest = JSON.parse(read(file)) as Record<string, Record<string, string> | undefined>;
    for (const group of ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies']) {
      for (const [name, range] of Object.entries(manifest[group] ?? {})) {
        expect(range, `${file}: ${name}`).toMatch(/^(catalog:\w*|workspace:\^)$/);
      }
    }
  }
});

test('the catalog holds nothing that no package uses', () => {
  const catalog = [
    ...(/^catalog:\n([\s\S]*?)\n\n/m.exec(read('pnpm-workspace.yaml'))?.[1] ?? '').matchAll(
      /^ {2}["']?([^\s"':-][^\s"':]*)["']?: \S+$/gm,
    ),
  ].map((match) => match[1] ?? '');
  const used = tracked(...MANIFESTS)
    .map(read)
    .join('\n');
  expect(catalog.length).toBeGreaterThan(20);
  expect(catalog.filter((name) => !used.includes(`"${name}": "`))).toEqual([]);
});

test('every dependency has a written reason', () => {
  const reasons = read('docs/design/dependencies.md');
  const names = new Set<string>();
  for (const file of tracked(...MANIFESTS)) {
    const manifest = JSON.parse(read(file)) as Record<string, Record<string, string> | undefined>;
    for (const group of ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies']) {
      for (const [name, range] of Object.entries(manifest[group] ?? {})) {
        if (range.startsWith('catalog:') || (file.startsWith('examples/') && !/^(rostack|menu)-/.test(name)))
          names.add(name);
      }
    }
  }
  const missing = [...names].filter((name) => !reasons.includes(`\`${name}\``)).sort();
  expect(missing).toEqual([]);
});

describe('documents', () => {
  test('READMEs are short: the rest is in docs', () => {
    const longest = (file: string) => (file === 'README.md' ? 900 : 600);
    const words = (file: string) =>
      read(file)
        .split(/\s+/)
        .filter((word) => word !== '').length;
    const files = tracked('README.md', ':(glob)packages/*/README*.md', ':(glob)apps/*/README*.md');
    expect(files.length).toBeGreaterThan(10);
    expect(files.filter((file) => words(file) > longest(file))).toEqual([]);
  });

  test.for(tracked('*.md', '**/*.md'))('%s leads only to what exists', (file) => {
    const text = read(file);
    const dead = documentLinks(text).filter((link) => {
      const [target = '', anchor] = link.split('#');
      const ours = new RegExp(`^${repositoryUrl}/(?:blob|tree|raw)/main/(.+)$`).exec(target)?.[1];
      if (ours === undefined && /^(https?:|mailto:)/.test(link)) {
        return new RegExp(`^${repositoryUrl}/(?:blob|tree|raw)/`).test(link);
      }
      const path =
        target === ''
          ? join(root, file)
          : resolve(root, ours === undefined ? dirname(file) : '.', ours ?? target);
      if (!existsSync(path)) return true;
      return (
        anchor !== undefined &&
        path.endsWith('.md') &&
        !headingAnchors(readFileSync(path, 'utf8')).has(anchor)
      );
    });
    expect(dead).toEqual([]);
  });

  test('the commands that show what is promised can be run', () => {
    const commands = [...read('docs/guides/promises.md').matchAll(/`pnpm ([^`]+)`/g)].map(
      (match) => match[1] ?? '',
    );
    expect(commands.length).toBeGreaterThan(20);
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    for (const command of commands) {
      const [script = '', ...rest] = command.split(' ');
      expect({ install: '', ...scripts }, command).toHaveProperty(script);
      for (const path of rest.filter((word) => word.includes('/'))) {
        expect(existsSync(join(root, path)), `${command}: ${path}`).toBe(true);
      }
    }
  });
});
