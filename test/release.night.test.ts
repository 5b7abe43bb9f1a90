import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from 'test-support/free-port';
import { createDatabase, describePostgres } from 'test-support/postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publishablePackages } from '../scripts/publishable-packages.ts';
import { type LocalRegistry, openLocalRegistry } from './support/local-registry.ts';
import { beginningOf } from './support/readme-examples.ts';
import { type Running, runUntil } from './support/run-until.ts';

const root = resolve(import.meta.dirname, '..');
const execute = promisify(execFile);
const packages = publishablePackages();
const names = packages.map(({ name }) => name);
const beginnings = new Map(
  packages.map(({ name, directory }) => [
    name,
    beginningOf(readFileSync(join(root, directory, 'README.md'), 'utf8'), name),
  ]),
);
const folder = mkdtempSync(join(tmpdir(), 'release-'));
let registry: LocalRegistry;

beforeAll(async () => {
  registry = await openLocalRegistry(names, folder);
});

afterAll(async () => {
  await registry.close();
  rmSync(folder, { recursive: true, force: true });
});

function release(environment = registry.environment) {
  const args = ['scripts/release.ts', '--rehearsal', '--registry', registry.url];
  return execute(process.execPath, args, { cwd: root, env: { ...process.env, ...environment } });
}

test('what needs a package that could not be published is left out', { timeout: 300_000 }, async () => {
  const failed = await release({}).catch((error: unknown) => error);
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('ENEEDAUTH') });
  const { stderr } = failed as { readonly stderr: string };
  const leftOut = Array.from(stderr.matchAll(/^(\S+)@\S+ is left out/gm), ([, name]) => name);
  const inNeed = packages.filter(({ needs }) => needs.length > 0).map(({ name }) => name);
  expect(new Set(leftOut)).toEqual(new Set(inNeed));
});

test('a release publishes every package, and what is published stays as it is', {
  timeout: 300_000,
}, async () => {
  await release();
  for (const { name, version } of packages) {
    const answer = await fetch(new URL(name, registry.url));
    expect(await answer.json()).toMatchObject({ name, 'dist-tags': { latest: version } });
  }
  const published = packages.map(({ name, version }) => `${name}@${version} is published already.`);
  expect((await release()).stdout.match(/^.* is published already\.$/gm)).toEqual(published);
});

const INSTALL: Readonly<Record<string, readonly [string, ...string[]]>> = {
  npm: ['npm', 'install', '--prefer-offline', '--no-audit', '--no-fund'],
  pnpm: ['pnpm', 'add', '--prefer-offline', '--ignore-workspace'],
};

let installing: Promise<unknown> | undefined;

/** Installs by all managers side by side, when it is called first. */
const installAll = () =>
  (installing ??= Promise.all(
    Object.entries(INSTALL).map(async ([manager, [command, ...args]]) => {
      const app = join(folder, manager);
      mkdirSync(app);
      writeFileSync(join(app, 'package.json'), '{ "private": true, "type": "module" }');
      const wanted = new Set([...beginnings.values()].flatMap(({ packages: installed }) => installed));
      await execute(command, [...args, `--registry=${registry.url}`, ...wanted], { cwd: app });
    }),
  ));

/** What `npm create rostack` made, installed from the registry, with what it prints once it serves. */
async function created(
  template: string,
  name: string,
  env: NodeJS.ProcessEnv,
  before?: (app: string) => void,
) {
  const npm = (...args: readonly string[]) =>
    ['npm', ...args, '--prefer-offline', `--registry=${registry.url}`] as const;
  const [command, ...create] = npm('create', '--yes', 'rostack@latest', name);
  await execute(command, [...create, '--', '--template', template], { cwd: folder });
  const app = join(folder, name);
  const [install, ...args] = npm('install', '--no-audit', '--no-fund');
  await execute(install, args, { cwd: app });
  before?.(app);
  return runUntil(/#token=\S+/, ['npm', 'start'], { cwd: app, env: { ...process.env, ...env } });
}

describe('a project of npm create rostack reaches its first record', () => {
  const firstRecord = async (output: string, resource: string): Promise<unknown> => {
    const [, base = '', token = ''] = /(http:\S+?)\/?#token=([^&\s]+)/.exec(output) ?? [];
    const answer = await fetch(`${base}/api/${resource}`, {
      headers: { authorization: `Rostack-Token ${token}` },
    });
    return answer.json();
  };

  test('with hono-sqlite', { timeout: 300_000 }, async () => {
    const port = String(await freePort());
    const running = await created('hono-sqlite', 'my-server', { PORT: port });
    await fetch(`http://localhost:${port}/notes`, { method: 'POST', body: 'Buy kimchi' });
    expect(await firstRecord(running.output(), 'notes')).toMatchObject({ items: [{ text: 'Buy kimchi' }] });
    await running.stop();
  });

  describePostgres('of a database', () => {
    test('with gateway-postgres', { timeout: 300_000 }, async () => {
      await using database = await createDatabase();
      const sql = (app: string) => readFileSync(join(app, 'table.sql'), 'utf8');
      const running = await created(
        'gateway-postgres',
        'my-tables',
        { DATABASE_URL: database.url },
        (app) => void execFileSync('psql', [database.url, '--quiet', '--command', sql(app)]),
      );
      expect(await firstRecord(running.output(), 'notes')).toMatchObject({
        items: [{ id: 1, text: 'Buy kimchi' }],
      });
      await running.stop();
    });
  });
});

describe.for(Object.keys(INSTALL))('installed by %s, these first examples run', (manager) => {
  const app = join(folder, manager);
  const running: Running[] = [];
  let env: NodeJS.ProcessEnv;
  let gatewayUrl: string;
  let sandboxPort: string;

  /** Starts a command that runs on until all tests are done, also when it has ended by itself. */
  async function start(pattern: RegExp, command: readonly [string, ...string[]], input?: string) {
    const started = await runUntil(pattern, command, {
      cwd: app,
      env,
      ...(input !== undefined && { input }),
    });
    running.push(started);
    return started;
  }

  /** The code of a first example with addresses that exist here; each must be in it. */
  function codeOf(name: string, replacements: Readonly<Record<string, string>> = {}): string {
    let { code = '' } = beginnings.get(name) ?? {};
    for (const [written, ours] of Object.entries(replacements)) {
      expect(code).toContain(written);
      code = code.replaceAll(written, ours);
    }
    return code;
  }

  function startCode(name: string, pattern: RegExp, replacements?: Readonly<Record<string, string>>) {
    expect(beginnings.get(name)?.language).toBe('ts');
    writeFileSync(join(app, `${name}.ts`), codeOf(name, replacements));
    return start(pattern, [process.execPath, `${name}.ts`]);
  }

  /** Starts the MCP server of the JSON of a first example and returns what it says of itself. */
  async function initialize(name: string, replacements?: Readonly<Record<string, string>>) {
    interface Configuration {
      readonly mcpServers: Readonly<Record<string, { readonly command: string; readonly args: string[] }>>;
    }
    const { mcpServers } = JSON.parse(codeOf(name, replacements)) as Configuration;
    const [server] = Object.values(mcpServers);
    const clientInfo = { name: 'release', version: '1' };
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    const request = { jsonrpc: '2.0', id: 1, method: 'initialize', params };
    const command = [server?.command ?? '', ...(server?.args ?? [])] as const;
    const { output } = await start(/\n/, command, `${JSON.stringify(request)}\n`);
    return JSON.parse(output()) as unknown;
  }

  beforeAll(async () => {
    await installAll();
    env = { ...process.env, NO_COLOR: '1' };
    const port = String(await freePort());
    gatewayUrl = `https://localhost:${port}`;
    env['ROSTACK__LISTENERS__DATA__PORT'] = port;
    env['NODE_EXTRA_CA_CERTS'] = join(app, 'data/localhost.crt.pem');
    sandboxPort = String(await freePort());
  }, 300_000);

  afterAll(async () => {
    for (const started of running.toReversed()) await started.stop();
  });

  test('rostack-gateway', async () => {
    const lines = codeOf('rostack-gateway', { 'https://localhost:8443': gatewayUrl })
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.replace(/ +#.*/, ''));
    const [init = '', create = '', serve = '', ask = '', ...others] = lines;
    expect(others).toEqual([]);
    const shell = async (line: string) => (await execute('bash', ['-c', line], { cwd: app, env })).stdout;
    await shell(init);
    const seoul = { id: 'seoul', name: '서울', status: 'online' };
    writeFileSync(join(app, 'stations.ndjson'), `${JSON.stringify(seoul)}\n`);
    await shell('npx rostack-gateway import stations stations.ndjson');
    const token = (await shell(create)).trim();
    env['ROSTACK_TOKEN'] = token;
    await start(new RegExp(gatewayUrl), ['bash', '-c', serve]);
    const answer: unknown = JSON.parse(await shell(ask.replace('<token>', token)));
    expect(answer).toMatchObject({ items: [seoul], page: { has_more: false } });
  });

  test('rostack-core', async () => {
    const { output } = await startCode('rostack-core', /true\n$/);
    expect(output()).toContain("]\n{ kind: 'granted' }\ntrue\n");
  });

  test('rostack-store', async () => {
    const { output } = await startCode('rostack-store', /\}\n$/);
    expect(output()).toBe('1\n{"id":"seoul","height":86}\n');
  });

  test('rostack-server', async () => {
    const { output } = await startCode('rostack-server', /\n/, { '3000': String(await freePort()) });
    const { stdout } = await execute('bash', ['-c', output()], { cwd: app, env });
    expect(stdout).toContain('"name":"관측소"');
  });

  test('rostack-client', async () => {
    const { output } = await startCode('rostack-client', /up to date\n/, {
      'https://observatory.example': gatewayUrl,
    });
    expect(output()).toBe('seoul 서울\ninitial 1\nup to date\n');
  });

  test('create-rostack', () => {
    expect(codeOf('create-rostack')).toContain('npm create rostack@latest my-data -- --template hono-sqlite');
  });

  test('rostack-cli', async () => {
    const [token = '', list = '', follow = '', doctor = '', ...others] = codeOf('rostack-cli', {
      'https://data.example.com': gatewayUrl,
    })
      .trim()
      .split('\n');
    expect([token, ...others]).toEqual(['export ROSTACK_TOKEN=rostack_...']);
    const { stdout } = await execute('bash', ['-c', list], { cwd: app, env });
    expect(JSON.parse(stdout)).toMatchObject({ id: 'seoul' });
    await start(/seoul/, ['bash', '-c', follow]);
    const examined = await execute('bash', ['-c', doctor], { cwd: app, env });
    expect(examined.stdout).toMatch(/^ok /m);
    expect(examined.stdout).not.toMatch(/^WRONG /m);
  });

  test('rostack-mcp', async () => {
    const told = await initialize('rostack-mcp', { 'https://observatory.example': gatewayUrl });
    expect(told).toMatchObject({ result: { serverInfo: { name: 'rostack-mcp' } } });
  });

  test('rostack-conformance', async () => {
    const code = codeOf('rostack-conformance', { 'https://data.example.com': gatewayUrl }).trim();
    const told = await execute('bash', ['-c', `${code} --only speaks.discovery`], {
      cwd: app,
      env: { ...env, TOKEN: env['ROSTACK_TOKEN'] },
    });
    // Two checks see only a part of the level.
    expect(told.stdout).toMatch(/ 0 fail, .*\nLevels: speaks partly/);
    expect(readFileSync(join(app, 'report/report.html'), 'utf8')).toContain('<!doctype html>');
  });

  test('rostack-explorer', async () => {
    const code = codeOf('rostack-explorer', { 'https://data.example.com': gatewayUrl });
    const { output } = await start(/http:\S+/, ['bash', '-c', code]);
    const page = await fetch(/http:\S+/.exec(output())?.[0] ?? '');
    expect(await page.text()).toContain('<!doctype html>');
  });

  test('menu-sandbox', async () => {
    const code = codeOf('menu-sandbox', { '4010': sandboxPort });
    const { output } = await start(/\n/, ['bash', '-c', code]);
    expect(output()).toContain(`http://127.0.0.1:${sandboxPort}`);
  });

  test('menu-client', async () => {
    const { output } = await startCode('menu-client', /\n/, {
      'planeatOperator()': `planeatOperator({ baseUrl: 'http://127.0.0.1:${sandboxPort}/planeat' })`,
    });
    expect(output()).toMatch(/^아침 (ok|empty) \[/); // empty on Sundays
  });

  test('menu-mcp', async () => {
    expect(await initialize('menu-mcp')).toMatchObject({ result: { serverInfo: { name: 'menu-mcp' } } });
  });
});
