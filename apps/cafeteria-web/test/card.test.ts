import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { systemClock } from 'menu-client';
import { launchBrowser } from 'test-support/launch-browser';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LUNCH_MS } from './support/page-types.ts';
import { sharedCafeteria } from './support/shared.ts';

const site = sharedCafeteria({}, { ...systemClock, nowMs: () => LUNCH_MS });
const resources = new AsyncDisposableStack();
let browser: Awaited<ReturnType<typeof launchBrowser>>;
beforeAll(async () => {
  browser = resources.use(await launchBrowser());
});
afterAll(() => resources.disposeAsync());

async function serve(answer: () => { body: string; headers?: Record<string, string> }): Promise<string> {
  const server: Server = createServer((_incoming, outgoing) => {
    const { body, headers = {} } = answer();
    outgoing.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', ...headers }).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  resources.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A chat: a frame of another origin with the policy that the specification builds from the resource, and the handshake. */
const HOST = (view: string, result: unknown, locale: string) => `<!doctype html><title>chat</title>
<iframe src="${view}" sandbox="allow-scripts allow-same-origin" width="640" height="900"></iframe>
<script>
const seen = window.seen = [];
const frame = document.querySelector('iframe');
const send = (message) => frame.contentWindow.postMessage({ jsonrpc: '2.0', ...message }, '*');
addEventListener('message', ({ source, data }) => {
  if (source !== frame.contentWindow) return;
  seen.push(data);
  if (data.method === 'ui/initialize') send({ id: data.id, result: { protocolVersion: '2026-01-26',
    hostInfo: { name: 'chat', version: '1' }, hostCapabilities: { openLinks: {} },
    hostContext: { theme: 'dark', locale: '${locale}', styles: { variables: { '--color-text-primary': 'rgb(1, 2, 3)' } } } } });
  if (data.method === 'ui/notifications/initialized') {
    send({ method: 'ui/notifications/tool-input', params: { arguments: {} } });
    send({ method: 'ui/notifications/tool-result', params: ${JSON.stringify(result).replaceAll('<', '\\u003c')} });
    send({ id: 99, method: 'ui/resource-teardown', params: { reason: 'test' } });
  }
  if (data.method === 'ui/open-link') send({ id: data.id, result: {} });
});
</script>`;

interface Seen {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
}

interface Card {
  readonly text: string;
  readonly _meta: { readonly ui: { readonly csp: { readonly resourceDomains: string[] } } };
}

async function openChat(
  card: Card,
  result: unknown,
  locale = 'ko-KR',
  domains = card._meta.ui.csp.resourceDomains,
) {
  const from = ["'self'", ...domains].join(' ');
  const policy = `default-src 'none'; script-src 'unsafe-inline' ${from}; style-src 'unsafe-inline' ${from}; img-src data: ${from}; connect-src 'none'; frame-src 'none'; object-src 'none'; base-uri 'self'`;
  const view = await serve(() => ({ body: card.text, headers: { 'Content-Security-Policy': policy } }));
  const host = await serve(() => ({ body: HOST(view, result, locale) }));
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(host);
  const frame = page.frameLocator('iframe');
  return { page, frame, complaints, seen: () => page.evaluate<Seen[]>('window.seen') };
}

async function readCard() {
  const client = new Client({ name: 'chat', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${site.url}/mcp`)));
  const { tools } = await client.listTools();
  const tool = tools.find(({ name }) => name === 'get_restaurant_menu');
  expect(tool?._meta).toEqual({ ui: { resourceUri: 'ui://menu/day' } });
  expect(tools.find(({ name }) => name === 'search_restaurants')?._meta).toBeUndefined();
  const { contents } = await client.readResource({ uri: 'ui://menu/day' });
  const [card] = contents as unknown as (Card & { mimeType: string })[];
  expect(card?.mimeType).toBe('text/html;profile=mcp-app');
  const call = (args: object) =>
    client.callTool({
      name: 'get_restaurant_menu',
      arguments: { vendor: 'welstory', restaurantId: 'REST000007', ...args },
    });
  return { card: card as Card, call, close: () => client.close() };
}

test('the card shows the day in the frame of a host, with photos of ours and under its policy', async () => {
  const { card, call, close } = await readCard();
  expect(card._meta.ui.csp.resourceDomains).toEqual([site.url]);
  const result = await call({ meal: 'lunch' });
  const { periods } = result.structuredContent as {
    periods: { menus: { name: string; photoUrl?: string }[] }[];
  };
  const menus = periods[0]?.menus ?? [];
  const { page, frame, complaints, seen } = await openChat(card, result);
  await frame.getByRole('heading', { name: 'R5 1식당' }).waitFor();
  expect(await frame.locator('li strong').allTextContents()).toEqual(menus.map(({ name }) => name));
  const photos = menus.filter(({ photoUrl }) => photoUrl !== undefined).length;
  expect(photos).toBeGreaterThan(1);
  await page.waitForFunction(`window.seen.some(({ method }) => method === 'ui/notifications/size-changed')`);
  const images = frame.locator('img');
  expect(await images.count()).toBe(photos);
  for (let at = 0; at < photos; at += 1) {
    const image = images.nth(at);
    await image.scrollIntoViewIfNeeded();
    await expect
      .poll(() => image.evaluate((each) => (each as unknown as { naturalWidth: number }).naturalWidth))
      .toBeGreaterThan(0);
  }
  await frame.getByRole('button', { name: '메뉴 페이지 열기' }).click();
  await page.waitForFunction(`window.seen.some(({ method }) => method === 'ui/open-link')`);
  const messages = await seen();
  const first = messages.find(({ method }) => method === 'ui/initialize');
  expect(first?.params).toMatchObject({ protocolVersion: '2026-01-26', appCapabilities: {} });
  expect(messages.find(({ method }) => method === 'ui/open-link')?.params?.['url']).toContain(
    `${site.url}/restaurants/welstory/REST000007`,
  );
  expect(messages.find(({ id, method }) => id === 99 && method === undefined)).toMatchObject({ result: {} });
  expect(await frame.locator('body').evaluate('getComputedStyle(document.documentElement).color')).toBe(
    'rgb(1, 2, 3)',
  );
  expect(complaints).toEqual([]);
  await page.close();
  await close();
});

test('without photos, with an error, and with hostile text the card is still a text', async () => {
  const { card, call, close } = await readCard();
  const result = await call({ meal: 'lunch' });
  const blocked = await openChat(card, result, 'en-US', []);
  await blocked.frame.getByRole('heading', { name: 'R5 1식당' }).waitFor();
  await expect.poll(() => blocked.frame.locator('img').count()).toBe(0);
  expect(await blocked.frame.locator('footer').textContent()).toContain('Allergens are not published.');
  await blocked.page.close();

  const failed = await openChat(card, await call({ date: '20261399' }));
  await failed.frame.getByText('No calendar has this date').waitFor();
  await failed.page.close();

  const closed = await openChat(card, await call({ date: '일요일' }));
  await closed.frame.getByText('메뉴가 있는 다음 날은 11월 23일 (월)이에요.').waitFor();
  await closed.page.close();

  const evil = '<img src=x onerror="parent.postMessage(1)"><script>document.title=1</script>';
  const structuredContent = JSON.parse(
    JSON.stringify(result.structuredContent).replaceAll('R5 1식당', JSON.stringify(evil).slice(1, -1)),
  ) as unknown;
  const hostile = await openChat(card, { ...result, structuredContent });
  await hostile.frame.getByRole('heading', { level: 1 }).waitFor();
  expect(await hostile.frame.locator('h1').textContent()).toBe(evil);
  expect(await hostile.frame.locator('h1 *').count()).toBe(0);
  await hostile.page.close();
  await close();
});
