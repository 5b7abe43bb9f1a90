import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { launchBrowser } from 'test-support/launch-browser';
import { expect, test } from 'vitest';
import { station } from './support/observatory.ts';
import type { PageApi } from './support/page.ts';
import { TestGateway } from './support/test-gateway.ts';

declare const page: PageApi;

const PAGE = fileURLToPath(new URL('./support/page.ts', import.meta.url));
const ORIGIN = 'https://app.example';

test('a page of another origin lists, follows, and goes on after the gateway was down', {
  timeout: 120_000,
}, async () => {
  // Without Node's built-ins, which the bundler would not find for a browser.
  const { outputFiles } = await build({
    entryPoints: [PAGE],
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    conditions: ['workspace-source'],
  });
  const script = outputFiles[0]?.text ?? '';
  await using gateway = await TestGateway.start({ app: { cors: { origins: [ORIGIN] } } });
  await gateway.put('stations', station(1), station(2), station(3));
  await using browser = await launchBrowser(['--ignore-certificate-errors']);
  const tab = await browser.newPage({ ignoreHTTPSErrors: true });
  const problems: string[] = [];
  tab.on('pageerror', (error) => problems.push(String(error)));
  await tab.route(`${ORIGIN}/`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      headers: { 'content-security-policy': "script-src 'unsafe-inline'" },
      body: `<!doctype html><title>page</title><script>${script}</script>`,
    }),
  );
  await tab.goto(`${ORIGIN}/`);
  const { token } = gateway.token();
  await tab.evaluate(([url = '', token = '']) => page.start(url, token), [gateway.url, token]);
  const ids = [1, 2, 3].map((number) => station(number).id);
  expect(await tab.evaluate(() => page.listed())).toEqual(ids);
  expect(await tab.evaluate(() => page.changes(2))).toEqual(['snapshot', 'live']);
  await gateway.put('stations', station(4));
  expect(await tab.evaluate(() => page.changes(3))).toContain(`created ${station(4).id}`);
  await gateway.down();
  await gateway.put('stations', station(5));
  await gateway.up();
  expect(await tab.evaluate(() => page.changes(5))).toEqual([
    'snapshot',
    'live',
    `created ${station(4).id}`,
    `created ${station(5).id}`,
    'live',
  ]);
  expect(await tab.evaluate(() => page.failure('nothing'))).toBe('absent');
  expect(problems).toEqual([]);
});
