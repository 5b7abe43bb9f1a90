import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMenuMcpHandler } from 'menu-mcp/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { INAPPLICABLE } from './conformance/inapplicable.ts';
import { type Listener, listen } from './support/listen.ts';
import { openMenus } from './support/menus.ts';
import { runCommand } from './support/run-command.ts';

const SUITE = new URL('../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url)
  .pathname;
const LISTED = INAPPLICABLE.flatMap(({ checks }) => checks);

const resources = new AsyncDisposableStack();
let endpoint: Listener;
let folder: string;

beforeAll(async () => {
  const menus = resources.use(await openMenus());
  const handler = resources.use(createMenuMcpHandler(menus.service));
  endpoint = resources.use(await listen(handler.fetch));
  folder = await mkdtemp(join(tmpdir(), 'menu-mcp-conformance-'));
  resources.defer(() => rm(folder, { recursive: true, force: true }));
});
afterAll(() => resources.disposeAsync());

interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'INFO' | 'SKIPPED';
}

/** The suite counts warnings as failures. */
function isFailure({ status }: Check): boolean {
  return status === 'FAILURE' || status === 'WARNING';
}

async function runSuite(revision: string, listed: readonly string[]) {
  const output = await mkdtemp(join(folder, revision));
  const baseline = join(output, 'baseline.yaml');
  await writeFile(baseline, JSON.stringify({ server: listed }));
  const result = await runCommand(SUITE, [
    'server',
    `--url=${endpoint.url.href}`,
    `--requirements=${revision}`,
    `--expected-failures=${baseline}`,
    `--output-dir=${join(output, 'results')}`,
  ]);
  const checks: Check[] = [];
  for (const scenario of await readdir(join(output, 'results')))
    checks.push(
      ...(JSON.parse(await readFile(join(output, 'results', scenario, 'checks.json'), 'utf8')) as Check[]),
    );
  return { ...result, checks };
}

describe.each([
  ['2025-11-25', 30],
  ['2026-07-28', 100],
])('the requirements of %s', (revision, atLeast) => {
  test('are met but for what does not apply', async () => {
    const { code, output, checks } = await runSuite(revision, LISTED);
    expect(code, output).toBe(0);
    const failed = new Set(checks.filter(isFailure).map(({ id }) => id));
    const known = new Set(LISTED.map((check) => check.split(':')[1]));
    expect([...failed].filter((id) => !known.has(id))).toEqual([]);
    expect(checks.filter(({ status }) => status === 'SUCCESS').length).toBeGreaterThanOrEqual(atLeast);
  });

  test('are not met when the list is outdated', async () => {
    expect((await runSuite(revision, [...LISTED, 'tools-list:tools-list'])).code).toBe(1);
    expect((await runSuite(revision, LISTED.slice(1))).code).toBe(1);
  });
});

test('every check that is listed fails in one of the two, with a reason', async () => {
  const failures = (
    await Promise.all(['2025-11-25', '2026-07-28'].map((revision) => runSuite(revision, LISTED)))
  )
    .flatMap(({ checks }) => checks)
    .filter(isFailure)
    .map(({ id }) => id);
  expect(LISTED.filter((check) => !failures.includes(check.split(':')[1] ?? ''))).toEqual([]);
  for (const { reason } of INAPPLICABLE) expect(reason.length).toBeGreaterThan(30);
  expect(new Set(LISTED).size).toBe(LISTED.length);
});
