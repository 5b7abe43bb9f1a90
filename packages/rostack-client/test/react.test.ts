import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { connect } from 'rostack-client';
import { readInitial } from 'rostack-client/react';
import { BROWSER_START_MS, launchBrowser } from 'test-support/launch-browser';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { station } from './support/observatory.ts';
import { App, HIGHEST, Table } from './support/react-app.ts';
import type { ReactPage } from './support/react-page.ts';
import { TestGateway } from './support/test-gateway.ts';

declare const page: ReactPage;

const PAGE = fileURLToPath(new URL('./support/react-page.ts', import.meta.url));
const ORIGIN = 'https://app.example';

const REACT_18 = {
  react: 'react-18',
  'react-dom': 'react-dom-18',
  'react-dom/client': 'react-dom-18/client',
};

let browser: Awaited<ReturnType<typeof launchBrowser>>;
beforeAll(async () => {
  browser = await launchBrowser(['--ignore-certificate-errors']);
}, BROWSER_START_MS);
afterAll(() => browser?.[Symbol.asyncDispose]());

async function script(alias: Readonly<Record<string, string>>): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [PAGE],
    // Names in `alias` are looked up from here.
    absWorkingDir: fileURLToPath(new URL('..', import.meta.url)),
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    conditions: ['workspace-source', 'development'],
    define: { 'process.env.NODE_ENV': '"development"' },
    alias,
  });
  return outputFiles[0]?.text ?? '';
}

async function openPage(alias: Readonly<Record<string, string>>, markup: string) {
  const code = await script(alias);
  const tab = await browser.newPage({ ignoreHTTPSErrors: true });
  await tab.route(`${ORIGIN}/**`, (route) => {
    const isScript = route.request().url().endsWith('.js');
    return route.fulfill(
      isScript
        ? { contentType: 'text/javascript', body: code }
        : {
            contentType: 'text/html',
            body: `<!doctype html><title>page</title><div id="root">${markup}</div><script src="/page.js"></script>`,
          },
    );
  });
  await tab.goto(`${ORIGIN}/`);
  const shows = (text: string) =>
    expect.poll(() => tab.evaluate(() => page.text()), { timeout: 30_000 }).toContain(text);
  return Object.assign(tab, { shows });
}

const line = (...rows: readonly (readonly [number, number])[]) =>
  rows.map(([number, altitude]) => `${station(number).id}: ${altitude}`).join(', ');

test.for([
  ['18', REACT_18],
  ['19', {}],
] as const)(
  'React %s shows what the gateway has, each follow once, in strict mode',
  async ([version, alias]) => {
    await using gateway = await TestGateway.start({ app: { cors: { origins: [ORIGIN] } } });
    const put = (number: number, altitude: number) => gateway.put('stations', station(number, { altitude }));
    for (const [number, altitude] of [
      [1, 10],
      [2, 20],
      [3, 30],
      [4, 5],
    ] as const)
      await put(number, altitude);
    const tab = await openPage(alias, '');
    expect(await tab.evaluate(() => page.version)).toMatch(new RegExp(`^${version}\\.`));
    await tab.evaluate(
      ([url = '', token = '']) => page.start(url, token),
      [gateway.url, gateway.token().token],
    );
    await tab.shows(line([3, 30], [2, 20], [1, 10]));
    await tab.shows('live');
    // One of the stations, one of the memos.
    expect(gateway.gateway.status.subscriptions).toBe(2);

    await tab.shows('waited for 3, highest 30');
    // The follow of the memos ends with no notice that throws.
    const told = (event: string) =>
      expect.poll(() => tab.evaluate(() => page.rendered), { timeout: 30_000 }).toMatchObject({ [event]: 1 });
    await gateway.put('memos', { id: 'a', text: 'one' });
    await told('memo.written');
    await gateway.remove('memos', 'a');
    await told('memo.deleted');
    await tab.evaluate(() => page.showAlone('/altitude'));
    await tab.shows('first by /altitude: station-0004');

    const before = await tab.evaluate(() => page.rendered['Line'] ?? 0);
    for (let altitude = 31; altitude < 60; altitude += 1) await put(3, altitude);
    await tab.shows(line([3, 59], [2, 20], [1, 10]));
    // The line shows another record.
    expect(await tab.evaluate(() => page.rendered['Line'])).toBe(before);
    await gateway.remove('stations', station(1).id);
    await tab.shows(line([3, 59], [2, 20], [4, 5]));
    await tab.shows('the first: not among them');

    await tab.evaluate(() => page.show(false));
    // What is shown alone, and the memos.
    await expect.poll(() => gateway.gateway.status.subscriptions, { timeout: 30_000 }).toBe(2);
    // The function of the newest rendering.
    await gateway.put('memos', { id: 'b', text: 'two' });
    await told('memo.written beside nothing');
    await put(4, 70);
    await tab.evaluate(() => page.show(true));
    await tab.shows(line([4, 70], [3, 59], [2, 20]));
    await tab.evaluate(() => page.fail());
    await tab.shows('failed client_closed');
    await tab.shows(line([4, 70], [3, 59], [2, 20]));
    expect(await tab.evaluate(() => page.torn)).toEqual([]);
    expect(await tab.evaluate(() => page.complaints)).toEqual([]);
    await tab.evaluate(() => page.showAlone('/name'));
    await tab.shows('caught client_closed');
  },
);

test('a server renders what it has read, subscribes to nothing, and the browser takes it over', async () => {
  await using gateway = await TestGateway.start({ app: { cors: { origins: [ORIGIN] } } });
  await gateway.put('stations', ...[1, 2, 3, 4].map((number) => station(number, { altitude: number })));
  const { token } = gateway.token();
  await using client = await connect(gateway.url, { method: 'shared_token', token });
  const initial = [await readInitial(client, 'stations', HIGHEST)];
  const high = { filter: { '/altitude': { gte: 3 } }, sort: ['/altitude'], fields: ['/altitude'] };
  const { records } = await readInitial(client, 'stations', high);
  expect(records.map(([id, { name, altitude }]) => [id, name, altitude])).toEqual([
    [station(3).id, undefined, 3],
    [station(4).id, undefined, 4],
  ]);
  const app = createElement(App, { client: undefined, initial, isShown: true, onRender: () => {} });
  const markup = renderToString(app);
  const shown = line([4, 4], [3, 3], [2, 2]);
  expect(markup).toContain(shown);
  expect(markup).toContain('stale');
  expect(markup).toContain('waited for 3, highest 4');
  const unread = createElement(App, { client: undefined, initial: [], isShown: true, onRender: () => {} });
  expect(renderToString(unread)).toMatch(/pending.*waiting/s);
  expect(
    renderToString(createElement(App, { client, initial, isShown: true, onRender: () => {} })),
  ).toContain(shown);
  expect(gateway.gateway.status.subscriptions).toBe(0);

  const tab = await openPage({}, markup);
  await tab.shows(shown);
  await tab.evaluate(([url, token, initial]) => page.start(url, token, initial), [
    gateway.url,
    token,
    JSON.parse(JSON.stringify(initial)),
  ] as const);
  await tab.shows('live');
  await gateway.put('stations', station(9, { altitude: 9 }));
  await tab.shows(line([9, 9], [4, 4], [3, 3]));
  expect(await tab.evaluate(() => page.complaints)).toEqual([]);
});

test('outside of a provider it is said what is missing', () => {
  expect(() => renderToString(createElement(Table, { id: 'lonely' }))).toThrow('there is no RostackProvider');
});
