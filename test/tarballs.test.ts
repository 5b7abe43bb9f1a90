import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packPackages } from '../scripts/pack-packages.ts';
import { publishablePackages } from '../scripts/publishable-packages.ts';
import { documentLinks } from './support/document-links.ts';

const root = resolve(import.meta.dirname, '..');
const packages = publishablePackages();
const home = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly homepage: string;
  readonly bugs: object;
  readonly repository: object;
};
const folder = mkdtempSync(join(tmpdir(), 'tarballs-'));
const tarballs = new Map<string, string>();

beforeAll(() => {
  for (const { name, filename } of packPackages(folder)) {
    tarballs.set(name, filename);
    mkdirSync(join(folder, name));
    execFileSync('tar', ['-xzf', filename, '-C', join(folder, name), '--strip-components=1']);
  }
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('packages are published after those that they need', () => {
  const names = packages.map(({ name }) => name);
  expect(names.length).toBeGreaterThan(8);
  expect(names).not.toContain('cafeteria-web');
  expect(names.indexOf('rostack-core')).toBeLessThan(names.indexOf('rostack-store'));
  expect(names.indexOf('rostack-server')).toBeLessThan(names.indexOf('rostack-gateway'));
  expect(names.indexOf('menu-client')).toBeLessThan(names.indexOf('menu-mcp'));
});

test('rostack-core says whose work it uses, where that says so by a URL alone', () => {
  const notices = readFileSync(join(folder, 'rostack-core/THIRD-PARTY-NOTICES.md'), 'utf8');
  expect(notices).toContain('## uri-templates');
});

describe.for(packages)('$name', ({ name, directory }) => {
  const inside = join(folder, name);

  test('has a licence and what it declares, and nothing of tests and builds', () => {
    expect(readFileSync(join(inside, 'LICENSE'), 'utf8')).toBe(readFileSync(join(root, 'LICENSE'), 'utf8'));
    const manifest = readFileSync(join(inside, 'package.json'), 'utf8');
    expect(manifest).not.toMatch(/workspace|catalog:|refuse-publish|devDependencies/);
    const { exports, bin, ...project } = JSON.parse(manifest) as { exports: object; bin?: object };
    expect(project).toMatchObject({
      homepage: `${home.homepage}/tree/main/${directory}#readme`,
      bugs: home.bugs,
      repository: { ...home.repository, directory },
    });
    const declared = [...JSON.stringify([exports, bin]).matchAll(/"(\.\/[^"*]+\.[^"*]+)"/g)].map(
      (match) => match[1] ?? '',
    );
    expect(declared.filter((file) => !existsSync(join(inside, file)))).toEqual([]);
    const unwanted = '**/*{.tsbuildinfo,.sources,.map,.test.ts,.test.js,.bench.ts}';
    expect([...globSync(unwanted, { cwd: inside }), ...globSync('src', { cwd: inside })]).toEqual([]);
  });

  test('passes publint', async () => {
    const { buffer } = new Uint8Array(readFileSync(tarballs.get(name) ?? ''));
    const { messages, pkg } = await publint({ strict: true, pack: { tarball: buffer } });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  test('has documents whose links work outside the repository', () => {
    const documents = globSync('**/*.md', { cwd: inside });
    expect(documents).toContain('README.md');
    const dead = documents.flatMap((document) =>
      documentLinks(readFileSync(join(inside, document), 'utf8'))
        .filter((link) => !/^(https?:|mailto:|#)/.test(link))
        .filter((link) => {
          const path = resolve(inside, dirname(document), link.replace(/#.*/, ''));
          return !path.startsWith(join(inside, '/')) || !existsSync(path);
        })
        .map((link) => `${directory}/${document}: ${link}`),
    );
    expect(dead, 'write these as URLs in the repository, like the links below them').toEqual([]);
  });
});

test('drivers and SDKs are for the application to install, and errors say so', { timeout: 120_000 }, () => {
  const app = join(folder, 'app');
  mkdirSync(app);
  const names = ['rostack-core', 'rostack-store', 'menu-client', 'menu-mcp'];
  const dependencies = Object.fromEntries(names.map((name) => [name, `file:${tarballs.get(name)}`]));
  // menu-mcp alone asks for menu-client by its version, which no registry has.
  const overrides = { 'menu-client': '$menu-client' };
  writeFileSync(
    join(app, 'package.json'),
    JSON.stringify({ private: true, type: 'module', dependencies, overrides }),
  );
  execFileSync('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'], {
    cwd: app,
    stdio: 'pipe',
  });
  const installed = globSync(['*', '@*/*'], { cwd: join(app, 'node_modules') });
  expect(installed).toEqual(expect.arrayContaining(names));
  expect(installed.filter((name) => /^(better-sqlite3|pg|@modelcontextprotocol\/.*)$/.test(name))).toEqual(
    [],
  );

  writeFileSync(
    join(app, 'app.js'),
    `import { openMenuStore } from 'menu-client';
    import { registerMenuTools } from 'menu-mcp';
    import { openStore, restoreSqlite } from 'rostack-store';
    const tell = (work) => work.then(() => console.log('ok'), ({ code, message }) => console.log(code, message));
    await tell(openStore({ url: 'sqlite::memory:', resources: [] }));
    await tell(openStore({ url: 'postgres://localhost/none', resources: [] }));
    await tell(restoreSqlite(import.meta.filename, 'restored.db'));
    await tell(openMenuStore('sqlite::memory:'));
    await tell(openMenuStore('postgres://localhost/none'));
    await tell(openMenuStore('memory:'));
    console.log(typeof registerMenuTools);`,
  );
  const sqlite =
    'driver_missing SQLite is reached with the package better-sqlite3: npm install better-sqlite3';
  const postgres = 'driver_missing PostgreSQL is reached with the package pg: npm install pg';
  const told = execFileSync(process.execPath, ['app.js'], { cwd: app, encoding: 'utf8' });
  expect(told.trimEnd().split('\n')).toEqual([sqlite, postgres, sqlite, sqlite, postgres, 'ok', 'function']);

  const call = { jsonrpc: '2.0', id: 1, method: 'initialize' };
  const clientInfo = { name: 'tarballs', version: '1' };
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  const answer = execFileSync('npx', ['--no-install', 'menu-mcp'], {
    cwd: app,
    encoding: 'utf8',
    input: `${JSON.stringify({ ...call, params })}\n`,
  });
  expect(JSON.parse(answer)).toMatchObject({ id: 1, result: { serverInfo: { name: 'menu-mcp' } } });
  expect(readFileSync(join(app, 'node_modules/menu-mcp/dist/program.notices.txt'), 'utf8')).toContain(
    '@modelcontextprotocol/server',
  );
});

test('npm publish in a folder is refused and says what to do', () => {
  for (const command of ['npm', 'pnpm']) {
    const { status, stderr, stdout } = spawnSync(command, ['publish', '--dry-run', '--no-git-checks'], {
      cwd: join(root, 'packages/rostack-core'),
      encoding: 'utf8',
    });
    expect(status, command).not.toBe(0);
    expect(stdout + stderr).toContain('`npm run release` in the root of the repository');
  }
});
