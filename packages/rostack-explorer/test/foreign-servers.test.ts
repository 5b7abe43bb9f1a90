import type { Browser } from 'playwright-core';
import { ForeignServer } from 'test-support/foreign/foreign-server';
import type { ForeignStyle, JsonRecord } from 'test-support/foreign/foreign-style';
import { goStyle } from 'test-support/foreign/go-style';
import { ledgerStyle } from 'test-support/foreign/ledger-style';
import { BROWSER_START_MS, launchBrowser } from 'test-support/launch-browser';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readImplementation } from '../src/cli/read-implementation.ts';
import { serveExplorer } from '../src/cli/serve-explorer.ts';
import { describeImplementation } from '../src/description/describe-implementation.ts';
import { openExplorer } from './support/explorer-page.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
}, BROWSER_START_MS);
afterAll(() => browser.close());

interface Case {
  readonly style: ForeignStyle;
  readonly resource: string;
  /** Shown in the first row, with the id that its look-up needs. */
  readonly shown: string;
  readonly id: string;
  readonly added: JsonRecord;
  readonly carries: 'record' | 'nothing';
}

const CASES: readonly Case[] = [
  {
    style: goStyle,
    resource: 'sms-messages',
    shown: 'sms 1',
    id: 'sms 1',
    added: { deviceId: 'sms-new', kind: 'in', recordedAt: '2026-08-14T10:00:00Z', value: [null, 'new'] },
    carries: 'record',
  },
  {
    style: ledgerStyle,
    resource: 'entries',
    shown: '1001',
    id: '1001',
    added: { number: 5, page: 1, amount: null },
    carries: 'nothing',
  },
];

test('where two members may be the id, a record is shown as it was listed, with both', async () => {
  const [books] = ledgerStyle.resources;
  if (books === undefined) throw new Error('no resource');
  const records = [{ code: 'x1', label: 'x1' }];
  const schema = { type: 'object', properties: { code: { type: 'string' }, label: { type: 'string' } } };
  const resources = [{ name: 'things', idMember: 'code', schema, eventNames: books.eventNames, records }];
  await using server = await ForeignServer.start({ ...ledgerStyle, resources });
  await using explorer = await serveExplorer(await readImplementation(server.url, undefined), 0);
  await using tab = await openExplorer(browser, explorer);
  await tab.connect(server.tokens[0]);
  await tab.page.getByRole('button', { name: 'x1', exact: true }).first().click();
  const dialog = tab.page.getByRole('dialog');
  await dialog.getByText('As it was listed').waitFor();
  await dialog.getByText('/code or /label').waitFor();
  await dialog.getByText('"label": "x1"').waitFor();
  expect(server.requests.filter((url) => url.includes('/things/'))).not.toEqual([]);
  expect(tab.complaints).toEqual([]);
});

test.for(CASES)('$style.name is browsed and watched, and the id is found', async (one) => {
  await using server = await ForeignServer.start(one.style);
  const opened = await readImplementation(server.url, undefined);
  const described = describeImplementation(opened).resources.find(
    ({ descriptor }) => descriptor.name === one.resource,
  );
  expect(described?.events.map(({ carries }) => carries)).toEqual([one.carries, one.carries, one.carries]);
  await using explorer = await serveExplorer(opened, 0);
  await using tab = await openExplorer(browser, explorer);
  const { page } = tab;
  await tab.connect(server.tokens[0]);
  await tab.choose(one.resource);
  await page.getByRole('button', { name: one.shown, exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('heading', { name: one.id, exact: true }).waitFor();
  await dialog.getByText('version').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('Page 2').waitFor();
  await tab.watch();
  server.put(one.resource, one.added);
  await page
    .getByRole('region', { name: /^Live events/ })
    .getByText(one.style.resources.find(({ name }) => name === one.resource)?.eventNames.create ?? '')
    .first()
    .waitFor();
  expect(tab.complaints).toEqual([]);
});
