import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtProgram } from 'test-support/built-program';
import { afterAll, expect, test } from 'vitest';

const COMMANDS = [
  'apps/rostack-gateway/dist/cli/main.js',
  'packages/create-rostack/dist/cli/cli.js',
  'packages/menu-client/dist/cli/main.js',
  'packages/menu-mcp/dist/cli.js',
  'packages/menu-sandbox/dist/cli/cli.js',
  'packages/rostack-cli/dist/main.js',
  'packages/rostack-conformance/dist/cli/cli.js',
  'packages/rostack-explorer/dist/cli/main.js',
  'packages/rostack-mcp/dist/cli/cli.js',
];

const folder = mkdtempSync(join(tmpdir(), 'commands-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const counter = join(folder, 'counter.mjs');
writeFileSync(
  counter,
  `import { writeFileSync } from 'node:fs';
  import { registerHooks } from 'node:module';
  const files = new Set();
  registerHooks({ load: (url, context, next) => { if (url.startsWith('file:')) files.add(url); return next(url, context); } });
  process.on('exit', () => writeFileSync(process.env.LOADED, [...files].join('\\n')));`,
);

test.for(COMMANDS)('%s loads few files', (path) => {
  const loaded = join(folder, 'loaded');
  execFileSync(process.execPath, ['--import', counter, builtProgram(path), '--help'], {
    env: { ...process.env, LOADED: loaded },
  });
  expect(readFileSync(loaded, 'utf8').split('\n').length).toBeLessThan(30);
});

const GATEWAY = 'apps/rostack-gateway/dist/cli';
const PAGE = 'rostack-explorer/dist/explorer-assets';

test.for([
  [`${GATEWAY}/program.notices.txt`, ['hono', 'zod', 'ajv', 'uri-templates', 'pg-types']],
  [`packages/${PAGE}/explorer.notices.txt`, ['preact', 'zod']],
  [`${GATEWAY}/${PAGE}/explorer.notices.txt`, ['preact', 'zod']],
  ['packages/rostack-cli/dist/program.notices.txt', ['ajv', 'commander', 'hono', 'yaml', 'zod']],
  ['packages/rostack-client/dist/browser.notices.txt', ['idb', '@noble/hashes']],
] as const)('%s has the licences of what is inside', ([path, names]) => {
  const text = readFileSync(builtProgram(path), 'utf8');
  for (const name of names) expect(text).toMatch(new RegExp(`^${name} \\d`, 'm'));
});

test('the command rostack loads its programs only when they are called', () => {
  const loaded = join(folder, 'loaded');
  const sizeOf = (...argv: string[]): number => {
    execFileSync(
      process.execPath,
      ['--import', counter, builtProgram('packages/rostack-cli/dist/main.js'), ...argv],
      {
        env: { ...process.env, LOADED: loaded },
      },
    );
    const files = readFileSync(loaded, 'utf8').split('\n');
    return files.reduce((bytes, url) => bytes + statSync(new URL(url)).size, 0);
  };
  const alone = sizeOf('list', '--help');
  for (const program of ['explore', 'mcp', 'conformance'])
    expect(sizeOf(program, '--help')).toBeGreaterThan(alone);
});
