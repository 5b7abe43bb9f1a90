import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ForeignServer } from 'test-support/foreign/foreign-server';
import { goStyle } from 'test-support/foreign/go-style';
import { BROWSER_START_MS, launchBrowser } from 'test-support/launch-browser';
import { describePython } from 'test-support/python';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readImplementation } from '../src/cli/read-implementation.ts';
import { serveExplorer } from '../src/cli/serve-explorer.ts';
import { openExplorer } from './support/explorer-page.ts';
import { DESK, PHONE, violations } from './support/shown-explorer.ts';
import { startSite } from './support/start-site.ts';

const run = promisify(execFile);

let browser: Awaited<ReturnType<typeof launchBrowser>>;
beforeAll(async () => {
  browser = await launchBrowser();
}, BROWSER_START_MS);
afterAll(() => browser.close());

test('each of 88 resources has a page, a box finds it, and the token is kept on the way', async () => {
  const [first, ...others] = goStyle.resources;
  if (first === undefined) throw new Error('no resource');
  const more = Array.from({ length: 88 - goStyle.resources.length }, (_, number) => ({
    ...first,
    name: `${first.name}-${number}`,
  }));
  await using server = await ForeignServer.start({ ...goStyle, resources: [first, ...others, ...more] });
  await using explorer = await serveExplorer(await readImplementation(server.url, undefined), 0);
  await using tab = await openExplorer(browser, explorer, { viewport: PHONE, bypassCSP: true });
  const { page } = tab;
  await tab.connect(server.tokens[0]);
  const height = await page.evaluate<number>('document.documentElement.scrollHeight');
  expect(height).toBeLessThan(5_000);
  expect(await violations(page)).toEqual([]);

  const wanted = others[0]?.name ?? '';
  await page.getByRole('searchbox', { name: 'Find a resource' }).fill(wanted.slice(0, -1).toUpperCase());
  expect(await page.getByRole('navigation', { name: 'Resources' }).getByRole('link').count()).toBe(1);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: wanted, exact: true }).waitFor();
  await page.getByRole('region', { name: `Fields of ${wanted}` }).waitFor();
  await page.getByRole('region', { name: `Records of ${wanted}` }).waitFor();
  expect(new URL(page.url()).search).toBe(`?resource=${wanted}`);

  await page.goBack();
  await page.getByRole('region', { name: `Records of ${first.name}` }).waitFor();
  await page.getByRole('heading', { level: 1, name: first.name, exact: true }).waitFor();
  expect(tab.complaints).toEqual([]);
});

test.for([
  ['a desk', { ...DESK, height: 850 }],
  ['a phone', PHONE],
] as const)('the first event is in view on %s', async ([, viewport]) => {
  await using site = await startSite({ observations: 0 });
  await using tab = await openExplorer(browser, site, { viewport });
  const form = await tab.page.getByRole('textbox', { name: 'Token' }).boundingBox();
  expect(form?.y).toBeLessThan(400);
  await tab.connect(site.token);
  await tab.choose('observations');
  await tab.watch();
  await site.tick(1);
  const event = tab.page.locator('table.events tbody tr').first();
  expect((await event.boundingBox())?.y).toBeLessThan(400);
});

describePython('the query in view', () => {
  test('is copied as curl, TypeScript and Python, and each of them lists the same records', async () => {
    await using site = await startSite({ isSecure: false });
    await using tab = await openExplorer(browser, site, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const { page } = tab;
    await tab.connect(site.token);
    await tab.choose('observations');
    await page.getByRole('button', { name: 'Add condition' }).click();
    await page.getByRole('combobox', { name: 'Field of condition 1' }).selectOption('/quality');
    await page.getByRole('combobox', { name: 'Value of condition 1' }).selectOption('verified');
    await page.getByRole('button', { name: 'Apply filter' }).click();
    await page.locator('.request').getByText('filter=').waitFor();
    await page.getByRole('button', { name: 'observed_at' }).click();
    await page.locator('.request').getByText('sort=/observed_at').waitFor();
    const ids = () => page.locator('table.records tbody th').allTextContents();
    await expect.poll(ids).toHaveLength(10);

    const programs = {
      curl: ['sh', '-c'],
      TypeScript: [process.execPath, '--input-type=module-typescript', '--eval'],
      Python: ['python3', '-c'],
    } as const;
    for (const [language, [program, ...args]] of Object.entries(programs)) {
      await page.getByRole('button', { name: language, exact: true }).click();
      await page.locator('.copies').getByText('Copied').waitFor();
      const code = await page.evaluate<string>('navigator.clipboard.readText()');
      await page.getByRole('button', { name: language, exact: true }).waitFor();
      const { stdout } = await run(program, [...args, code], {
        cwd: import.meta.dirname,
        env: { ...process.env, ROSTACK_TOKEN: site.token },
      });
      for (const id of await ids()) expect(stdout, language).toContain(id);
    }
    expect(tab.complaints).toEqual([]);
  });
});
