import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { localhostCertificate } from 'test-support/certificate';
import { BROWSER_START_MS, launchBrowser } from 'test-support/launch-browser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openExplorer } from './support/explorer-page.ts';
import { ExplorerProcess } from './support/explorer-process.ts';
import { defineObservatory } from './support/observatory.ts';
import { type RunningSite, startSite } from './support/start-site.ts';

let site: RunningSite;
let browser: Awaited<ReturnType<typeof launchBrowser>>;

beforeAll(async () => {
  browser = await launchBrowser();
  site = await startSite();
}, BROWSER_START_MS);

afterAll(async () => {
  await browser[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

/** Lists the stations and follows one change of them, in a browser that trusts no certificate of the test. */
async function listAndFollow(explorer: { readonly url: string }, { token, store }: RunningSite) {
  await using tab = await openExplorer(browser, explorer, { ignoreHTTPSErrors: false });
  const { page } = tab;
  await tab.connect(token);
  await page.getByRole('button', { name: 'busan', exact: true }).waitFor();
  await page.getByRole('button', { name: 'busan', exact: true }).click();
  await page.getByRole('dialog').getByText('"id": "busan"').waitFor();
  await page.keyboard.press('Escape');
  await tab.watch();
  const location = { latitude: 37, longitude: 127, elevation_m: 5 };
  const record = { id: 'test', name: '시험', name_en: 'Test', location, status: 'online' };
  await store.apply([{ resource: 'stations', op: 'put', record }]);
  await store.apply([{ resource: 'stations', op: 'delete', id: 'test' }]);
  const marks = page.getByRole('region', { name: /^Live events/ }).locator('tbody .transition');
  await marks.nth(1).waitFor();
  const seen = await marks.allTextContents();
  await page.getByText(/^Raw frames/).click();
  await page.locator('.frames li').first().waitFor();
  expect(await page.locator('.frames').textContent()).not.toContain(token);
  expect(page.url()).toBe(explorer.url);
  return { seen, complaints: tab.complaints };
}

const ALL_SEEN = { seen: ['− delete', '+ create'], complaints: [] };

describe('an implementation opened by its URL', () => {
  test('is browsed and followed, with nothing of the token on the command line or in addresses', async () => {
    await using explorer = await ExplorerProcess.start([site.baseUrl]);
    expect(await listAndFollow(explorer, site)).toEqual(ALL_SEEN);
    expect(site.requests.map(({ url }) => url).join('\n')).not.toContain(site.token);
    expect(new Set(site.requests.map(({ origin }) => origin))).toEqual(new Set([undefined]));
    expect(await explorer.stop('SIGINT')).toBe(0);
    expect(explorer.stdout + explorer.stderr).not.toContain(site.token);
  });

  test('may have its discovery document on another origin than its API', async () => {
    const server = createServer(await localhostCertificate()).listen(0, 'localhost');
    await once(server, 'listening');
    const baseUrl = `https://localhost:${(server.address() as AddressInfo).port}`;
    const { json_api: jsonApi, websocket } = site.implementation.discovery.endpoints;
    const { discovery, schemas } = defineObservatory({
      baseUrl,
      documentationUrl: baseUrl,
      urls: { jsonApi, websocket },
    });
    const documents = new Map<string, unknown>([[discovery.endpoints.discovery, discovery], ...schemas]);
    server.on('request', (request, response) => {
      const document = documents.get(baseUrl + request.url);
      response.writeHead(document === undefined ? 404 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(document));
    });
    await using explorer = await ExplorerProcess.start([baseUrl]);
    expect(await listAndFollow(explorer, site)).toEqual(ALL_SEEN);
    server.closeAllConnections();
    server.close();
  });

  test('may speak http on this computer', async () => {
    await using plain = await startSite({ isSecure: false, observations: 0 });
    await using explorer = await ExplorerProcess.start([plain.baseUrl]);
    expect(await listAndFollow(explorer, plain)).toEqual(ALL_SEEN);
  });

  test('that goes away is said to be out of reach', async () => {
    const gone = await startSite({ observations: 0 });
    await using explorer = await ExplorerProcess.start([gone.baseUrl]);
    await using tab = await openExplorer(browser, explorer);
    await gone[Symbol.asyncDispose]();
    await tab.page.getByRole('textbox', { name: 'Token' }).fill(gone.token);
    await tab.page.getByRole('button', { name: 'Connect' }).click();
    await expect
      .poll(() => tab.page.getByRole('alert').textContent())
      .toContain('The server cannot be reached.');
  });
});

test('mounted in a plain Hono app that speaks http on this computer, the page browses and follows', async () => {
  await using plain = await startSite({ isSecure: false, explorerPath: '/docs/explorer/', observations: 0 });
  expect(await listAndFollow(plain, plain)).toEqual(ALL_SEEN);
});
