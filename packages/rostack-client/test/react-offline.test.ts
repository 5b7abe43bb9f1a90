import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { FaultProxy } from 'test-support/fault-proxy';
import { BROWSER_START_MS, launchBrowser } from 'test-support/launch-browser';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { station } from './support/observatory.ts';
import type { ReactOfflinePage } from './support/react-offline-page.ts';
import { TestGateway } from './support/test-gateway.ts';

declare const page: ReactOfflinePage;

const PAGE = fileURLToPath(new URL('./support/react-offline-page.ts', import.meta.url));
const ORIGIN = 'https://app.example';

let browser: Awaited<ReturnType<typeof launchBrowser>>;
let code = '';

beforeAll(async () => {
  const { outputFiles } = await build({
    entryPoints: [PAGE],
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    conditions: ['workspace-source', 'development'],
    define: { 'process.env.NODE_ENV': '"development"' },
  });
  code = outputFiles[0]?.text ?? '';
  browser = await launchBrowser(['--ignore-certificate-errors']);
}, BROWSER_START_MS);

afterAll(() => browser[Symbol.asyncDispose]());

async function openTab(): Promise<Page> {
  const tab = await browser.newPage({ ignoreHTTPSErrors: true });
  await tab.route(`${ORIGIN}/`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><title>page</title><body><script>${code}</script>`,
    }),
  );
  await tab.goto(`${ORIGIN}/`);
  return tab;
}

const start = (tab: Page, url: string, token: string, sort?: readonly string[]): Promise<void> =>
  tab.evaluate(([to, secret, order]) => page.start(to, secret, order), [url, token, sort] as const);

const expectShown = (tab: Page, text: string): Promise<void> =>
  expect.poll(() => tab.evaluate(() => page.shown().at(-1)), { timeout: 25_000 }).toBe(text);

const ids = (...numbers: readonly number[]): string => numbers.map((number) => station(number).id).join(' ');

test.for([
  ['in no order', undefined],
  ['in an order', ['-/altitude']],
] as const)(
  'a page that is loaded again shows what its database holds, %s, while the server is away',
  {
    timeout: 60_000,
  },
  async ([, sort]) => {
    await using gateway = await TestGateway.start({ app: { cors: { origins: [ORIGIN] } } });
    const put = (number: number) => gateway.put('stations', station(number, { altitude: -number }));
    for (const number of [1, 2, 3]) await put(number);
    const { token } = gateway.token();
    const tab = await openTab();
    await start(tab, gateway.url, token, sort);
    await expectShown(tab, `live ${ids(1, 2, 3)}`);
    await gateway.down();
    await expectShown(tab, `reconnecting ${ids(1, 2, 3)}`);
    await tab.reload();
    await start(tab, gateway.url, token, sort);
    await expectShown(tab, `restored ${ids(1, 2, 3)}`);
    await put(4);
    await gateway.up();
    await expectShown(tab, `live ${ids(1, 2, 3, 4)}`);
    // Nothing that was shown went away, and the records were never less.
    expect((await tab.evaluate(() => page.shown())).slice(0, 2)).toEqual([
      'pending',
      `restored ${ids(1, 2, 3)}`,
    ]);
  },
);

test('a server that is dead is not shown as live', { timeout: 60_000 }, async () => {
  await using proxy = await FaultProxy.start({ host: 'localhost', port: 1 });
  await using gateway = await TestGateway.start({
    app: { cors: { origins: [ORIGIN] } },
    advertisedPort: proxy.port,
    heartbeatIntervalMs: 300_000,
    heartbeatTimeoutMs: 1_000,
  });
  proxy.leadTo({ host: 'localhost', port: gateway.port });
  await gateway.put('stations', station(1));
  const tab = await openTab();
  await start(tab, gateway.url, gateway.token().token);
  await expectShown(tab, `live ${ids(1)}`);
  // Nothing is closed, and nothing is answered any more. The heartbeat of this server would take minutes.
  proxy.stall();
  await expectShown(tab, `reconnecting ${ids(1)}`);
  proxy.resume();
  await expectShown(tab, `live ${ids(1)}`);
});

test('what ends the connecting for good is shown', async () => {
  const tab = await openTab();
  await start(tab, 'ftp://nowhere.example', 'secret');
  await expect.poll(() => tab.evaluate(() => page.shown().at(-1))).toMatch(/^failed.*UsageError/);
});
