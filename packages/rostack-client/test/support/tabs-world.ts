import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect, vi } from 'vitest';
import type { TabsApi, TabView } from './tabs-page.ts';
import { TestGateway, type TestGatewayOptions } from './test-gateway.ts';

declare const tabs: TabsApi;

const ORIGIN = 'https://app.example';

/** The script of the tabs. */
export async function buildTabs(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('./tabs-page.ts', import.meta.url))],
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    conditions: ['workspace-source'],
  });
  return outputFiles[0]?.text ?? '';
}

/** A gateway, and a profile of its own whose tabs follow it. */
export async function setUpTabs(
  browser: Pick<Browser, 'newContext'>,
  script: string,
  options: TestGatewayOptions = {},
  followed: TabView = { resource: 'stations' },
) {
  const gateway = await TestGateway.start({ app: { cors: { origins: [ORIGIN] } }, ...options });
  const context: BrowserContext = await browser.newContext({ ignoreHTTPSErrors: true });
  await context.route(`${ORIGIN}/`, (route) =>
    route.fulfill({ contentType: 'text/html', body: `<!doctype html><script>${script}</script>` }),
  );
  const { token } = gateway.token();
  const start = (tab: Page): Promise<void> =>
    tab.evaluate(([url, secret, view]) => tabs.start(url, secret, view), [
      gateway.url,
      token,
      followed,
    ] as const);
  return {
    gateway,
    context,
    start,
    async open(): Promise<Page> {
      const tab = await context.newPage();
      await tab.goto(`${ORIGIN}/`);
      await start(tab);
      return tab;
    },
    lists: (): number => gateway.requests.filter((path) => path.includes('/stations')).length,
    async [Symbol.asyncDispose](): Promise<void> {
      await context.close();
      await gateway[Symbol.asyncDispose]();
    },
  };
}

export const changesOf = (tab: Page): Promise<string[]> => tab.evaluate(() => tabs.changes());
export const until = (check: () => Promise<void>, timeout = 20_000): Promise<void> =>
  vi.waitFor(check, { timeout, interval: 20 });
export const told = (tab: Page, change: string, timeout?: number): Promise<void> =>
  until(async () => {
    expect(await tab.evaluate(() => tabs.failure())).toBeUndefined();
    expect(await changesOf(tab)).toContain(change);
  }, timeout);
