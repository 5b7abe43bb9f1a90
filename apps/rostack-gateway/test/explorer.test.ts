import { resolve } from 'node:path';
import { createGateway, createToken, type Gateway, loadConfig } from 'rostack-gateway';
import { freePort } from 'test-support/free-port';
import { BROWSER_START_MS, launchBrowser } from 'test-support/launch-browser';
import { temporaryFolder } from 'test-support/temporary-folder';
import { describe, expect, test } from 'vitest';
import { openExplorer } from '../../../packages/rostack-explorer/test/support/explorer-page.ts';
import { STATIONS } from '../examples/observatory/stations.ts';

const CONFIG = resolve(import.meta.dirname, '../examples/observatory/rostack-gateway.yaml');

/** A gateway of the observatory's configuration, with overrides as environment variables. */
async function startGateway(
  environment: Readonly<Record<string, string>>,
): Promise<AsyncDisposable & { readonly gateway: Gateway; readonly url: string }> {
  const folder = await temporaryFolder();
  const config = await loadConfig(CONFIG, {
    environment: {
      ROSTACK__LISTENERS__DATA__PORT: '0',
      ROSTACK__DATA_DIR: folder.path,
      ...environment,
    },
  });
  const gateway = await createGateway(config);
  return {
    gateway,
    url: gateway.implementation.discovery.implementation.documentation_url,
    async [Symbol.asyncDispose]() {
      await gateway.close({ drainTimeoutMs: 0 });
      await folder[Symbol.asyncDispose]();
    },
  };
}

describe('the page at documentation_url', () => {
  const scriptOf = (html: string) => /<script type="module" src="([^"]+)"/.exec(html)?.[1] ?? '';

  test('lies below a path prefix with its files, also where a proxy strips the prefix', async () => {
    await using prefixed = await startGateway({ ROSTACK__PUBLIC_URL: 'https://data.example/weather' });
    expect(prefixed.url).toBe('https://data.example/weather/');
    const { app } = prefixed.gateway;
    const script = scriptOf(await (await app.request(prefixed.url)).text());
    expect(script).toMatch(/^\/weather\/explorer-assets\//);
    expect((await app.request(`https://data.example${script}`)).status).toBe(200);

    await using stripped = await startGateway({
      ROSTACK__PUBLIC_URL: 'https://data.example/weather',
      ROSTACK__LISTENERS__DATA__STRIPPED_PATH_PREFIX: '/weather',
    });
    const { app: inner } = stripped.gateway;
    expect((await inner.request('https://data.example/')).status).toBe(200);
    expect((await inner.request(`https://data.example${script.replace('/weather', '')}`)).status).toBe(200);
  });

  test('stays where documentation_url has no slash at its end', async () => {
    await using documented = await startGateway({
      ROSTACK__PUBLIC_URL: 'https://data.example',
      ROSTACK__DOCUMENTATION_URL: 'https://data.example/docs',
    });
    const { app } = documented.gateway;
    const page = await app.request('https://data.example/docs');
    expect(page.status).toBe(200);
    const script = scriptOf(await page.text());
    expect((await app.request(`https://data.example${script}`)).status).toBe(200);
    expect((await app.request('https://data.example/')).status).toBe(404);
  });

  test('says nothing of what is in discovery where that is not public', async () => {
    await using closed = await startGateway({ ROSTACK__AUTHENTICATION__DISCOVERY_PUBLIC: 'false' });
    const html = await (await closed.gateway.app.request(closed.url)).text();
    expect(html).toContain('Sample observatory');
    expect(html).not.toMatch(/stations|observations|explorer-data/);
  });

  test(
    'browses and follows below a prefix, from an origin that websocket_origins need not list',
    async () => {
      const port = await freePort();
      await using running = await startGateway({
        ROSTACK__LISTENERS__DATA__PORT: String(port),
        ROSTACK__PUBLIC_URL: `https://localhost:${port}/weather`,
        ROSTACK__BROWSERS__WEBSOCKET_ORIGINS: '[https://elsewhere.example]',
      });
      const { store } = running.gateway;
      await store.apply(STATIONS.map((record) => ({ resource: 'stations', op: 'put', record })));
      const { token } = await createToken(store.tokens, {
        subject: 'test',
        grants: ['stations:read', 'stations:follow'],
      });
      await using browser = await launchBrowser();
      await using tab = await openExplorer(browser, running);
      await tab.connect(token);
      await tab.page.getByRole('button', { name: 'busan', exact: true }).waitFor();
      await tab.watch();
      await store.apply([{ resource: 'stations', op: 'delete', id: 'busan' }]);
      await tab.page
        .getByRole('region', { name: /^Live events/ })
        .getByText('station.removed')
        .waitFor();
      expect(tab.complaints).toEqual([]);
    },
    BROWSER_START_MS,
  );
});
