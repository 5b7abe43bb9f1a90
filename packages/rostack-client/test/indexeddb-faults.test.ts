import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { launchBrowser } from 'test-support/launch-browser';
import { expect, test } from 'vitest';
import type { FaultsApi } from './support/indexeddb-faults-page.ts';

declare const page: FaultsApi;

const PAGE = fileURLToPath(new URL('./support/indexeddb-faults-page.ts', import.meta.url));
const ORIGIN = 'https://app.example';

test('a database that the browser closed is opened again, a full one is not, and an old lead writes nothing', {
  timeout: 120_000,
}, async () => {
  const { outputFiles } = await build({
    entryPoints: [PAGE],
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    conditions: ['workspace-source'],
  });
  const script = outputFiles[0]?.text ?? '';
  await using browser = await launchBrowser();
  const tab = await browser.newPage();
  await tab.route(`${ORIGIN}/`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><title>page</title><script>${script}</script>`,
    }),
  );
  await tab.goto(`${ORIGIN}/`);
  expect(await tab.evaluate(() => page.updateAfter('InvalidStateError'))).toBe('after');
  expect(await tab.evaluate(() => page.updateAfter('UnknownError'))).toBe('after');
  expect(await tab.evaluate(() => page.updateAfter('QuotaExceededError'))).toBe('QuotaExceededError');
  expect(await tab.evaluate(() => page.loadAfterClose())).toBe('before');
  expect(await tab.evaluate(() => page.writesOfOldLead())).toEqual([
    ...Array.from({ length: 4 }, () => 'lead_lost'),
    'before',
  ]);
});
