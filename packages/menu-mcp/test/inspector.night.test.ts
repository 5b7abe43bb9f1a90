import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MENU_TOOLS } from 'menu-mcp';
import { createMenuMcpHandler } from 'menu-mcp/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Listener, listen } from './support/listen.ts';
import { type Menus, openMenus } from './support/menus.ts';
import { runCommand } from './support/run-command.ts';

const INSPECTOR = new URL(
  '../node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
  import.meta.url,
).pathname;
const CLI = new URL('../src/cli.ts', import.meta.url).pathname;

const resources = new AsyncDisposableStack();
let menus: Menus;
let endpoint: Listener;
let home: string;

beforeAll(async () => {
  menus = resources.use(await openMenus());
  const handler = resources.use(createMenuMcpHandler(menus.service));
  endpoint = resources.use(await listen(handler.fetch));
  home = await mkdtemp(join(tmpdir(), 'menu-mcp-inspector-'));
  resources.defer(() => rm(home, { recursive: true, force: true }));
});
afterAll(() => resources.disposeAsync());

const TARGETS: Record<string, () => string[]> = {
  HTTP: () => [endpoint.url.href],
  stdio: () => [
    '-e',
    `PLANEAT_BASE_URL=${menus.sandbox.planeatUrl}`,
    process.execPath,
    '--conditions=workspace-source',
    CLI,
  ],
};

describe.each(Object.entries(TARGETS))('the inspector’s command line over %s', (_name, target) => {
  async function inspect(...args: string[]): Promise<Record<string, unknown>> {
    const { code, output, errors } = await runCommand(INSPECTOR, ['--cli', ...target(), ...args], {
      env: { HOME: home },
    });
    expect(code, errors).toBe(0);
    return JSON.parse(output) as Record<string, unknown>;
  }

  test('lists both tools and finds no fault with their schemas', async () => {
    const { tools } = await inspect('--method', 'tools/list', '--strict');
    expect(tools).toMatchObject(MENU_TOOLS.map(({ name, title }) => ({ name, title })));
  });

  test('calls both tools', async () => {
    const call = (tool: string, ...args: string[]) =>
      inspect('--method', 'tools/call', '--tool-name', tool, '--tool-arg', ...args);
    const found = await call('search_restaurants', 'query=강남', 'limit=2');
    const { restaurants } = found.structuredContent as { restaurants: { vendor: string; id: string }[] };
    expect(restaurants).toHaveLength(2);
    const menu = await call('get_restaurant_menu', 'vendor=shinsegae', 'restaurantId=CAF1', 'date=today');
    const date = expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/);
    expect(menu.structuredContent).toMatchObject({ date, restaurant: { id: 'CAF1' } });
  });
});
