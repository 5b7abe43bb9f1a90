import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, globSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { type BrowserServer, chromium } from 'playwright-core';
import { freePort } from 'test-support/free-port';
import { BROWSER_START_MS, chromiumExecutable } from 'test-support/launch-browser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { packPackages } from '../scripts/pack-packages.ts';

const root = resolve(import.meta.dirname, '..');
const examples = globSync('examples/*/package.json', { cwd: root })
  .map((file) => basename(resolve(root, file, '..')))
  .toSorted();
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'examples-')));
const manifestOf = (example: string) =>
  JSON.parse(readFileSync(join(root, 'examples', example, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
    readonly scripts: Readonly<Record<string, string>>;
  };

/** Another workspace, of the examples alone: our packages are tarballs there, everything else is as it is locked here. */
function installExamples(): void {
  const tarballs = packPackages(join(folder, 'tarballs'));
  const overrides = Object.fromEntries(tarballs.map(({ name, filename }) => [name, `file:${filename}`]));
  const workspace = { packages: ['examples/*'], overrides };
  writeFileSync(join(folder, 'pnpm-workspace.yaml'), stringify(workspace));
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  for (const file of ['pnpm-lock.yaml', 'tsconfig.base.json', 'examples']) {
    const isSource = (path: string) => !/[/\\](node_modules|\.next)$/.test(path);
    cpSync(join(root, file), join(folder, file), { recursive: true, filter: isSource });
  }
  const options = ['--no-frozen-lockfile', '--prefer-offline', '--ignore-scripts', '--reporter=append-only'];
  execFileSync('pnpm', ['install', ...options], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
}

let browser: BrowserServer | undefined;
beforeAll(async () => {
  installExamples();
  const { path, args } = await chromiumExecutable();
  browser = await chromium.launchServer({ executablePath: path, args, headless: true });
}, BROWSER_START_MS);

afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe.for(examples)('%s', (example) => {
  const inside = join(folder, 'examples', example);

  test('passes its own tests with our packages as they are published', async () => {
    const { dependencies } = manifestOf(example);
    const ours = Object.keys(dependencies).filter((name) => /^(rostack|menu)-/.test(name));
    expect(ours).not.toEqual([]);
    for (const name of ours) {
      expect(realpathSync(join(inside, 'node_modules', name))).toContain(`${name}@file+tarballs`);
    }
    const child = spawn(process.execPath, ['--run', 'test'], {
      cwd: inside,
      stdio: ['ignore', 'pipe', 'inherit'],
      // A group of its own, so that no program of an example outlives a test that hangs.
      detached: true,
      env: {
        ...process.env,
        NODE_ENV: undefined,
        NODE_COMPILE_CACHE: join(folder, 'compiled'),
        NEXT_TELEMETRY_DISABLED: '1',
        BROWSER_ENDPOINT: browser?.wsEndpoint(),
        PORT: String(await freePort()),
      },
    });
    const kill = () => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL');
    const timer = setTimeout(kill, 110_000);
    const ended = once(child, 'exit');
    const output = await text(child.stdout);
    const [code] = await ended;
    clearTimeout(timer);
    expect(code, output).toBe(0);
    expect(output).toMatch(/\bpass [1-9]/);
  });
});
