import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMenuMcpHandler } from 'menu-mcp/server';
import { afterAll, beforeAll } from 'vitest';
import { INAPPLICABLE } from '../conformance/inapplicable.ts';
import { type Listener, listen } from './listen.ts';
import { openMenus } from './menus.ts';
import { runCommand } from './run-command.ts';

const SUITE = new URL('../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url)
  .pathname;
/** Checks of the suite that do not apply to this server. */
export const LISTED = INAPPLICABLE.flatMap(({ checks }) => checks);

/** One check of the suite. */
export interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'INFO' | 'SKIPPED';
}

/** The suite counts warnings as failures. */
export function isFailure({ status }: Check): boolean {
  return status === 'FAILURE' || status === 'WARNING';
}

/** Runs the official suite against a server of this file's own; call what it returns inside tests only. */
export function conformanceSuite() {
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

  return async (revision: string, listed: readonly string[] = LISTED) => {
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
  };
}

/** Ids of checks that failed without being listed. */
export function unlistedFailures(checks: readonly Check[]): readonly string[] {
  const known = new Set(LISTED.map((check) => check.split(':')[1]));
  return [...new Set(checks.filter(isFailure).map(({ id }) => id))].filter((id) => !known.has(id));
}
