import { HtmlValidate } from 'html-validate';
import { PROBLEM_SLUGS, WEBSOCKET_ERROR_CODES } from 'rostack-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningExplorer, startExplorer } from './support/start-explorer.ts';

let explorer: RunningExplorer;

beforeAll(async () => {
  explorer = await startExplorer();
});

afterAll(() => explorer[Symbol.asyncDispose]());

const get = async (url: string, headers: Record<string, string> = {}) =>
  explorer.gateway.app.request(url, { headers });

async function htmlFaults(html: string): Promise<string[]> {
  const validator = new HtmlValidate({
    extends: ['html-validate:recommended'],
    rules: {
      'doctype-style': ['error', { style: 'lowercase' }],
      'void-style': ['error', { style: 'selfclosing' }],
    },
  });
  const { results } = await validator.validateString(html);
  return results.flatMap(({ messages }) => messages.map(({ ruleId, message }) => `${ruleId}: ${message}`));
}

describe('the page', () => {
  test('is valid HTML', async () => {
    const html = await (await get(explorer.url)).text();
    expect(await htmlFaults(html)).toEqual([]);
  });

  test('says what discovery and the schemas say, without script', async () => {
    const { discovery } = explorer.gateway.implementation;
    const html = await (await get(explorer.url)).text();
    const said = [
      discovery.implementation.id,
      discovery.implementation.api_version,
      ...Object.values(discovery.endpoints),
      ...Object.entries(discovery.authentication.permissions).flat(),
      ...discovery.resources.flatMap((resource) => [
        resource.name,
        resource.collection_url,
        resource.item_url_template,
        ...resource.events.map(({ name }) => name),
        ...resource.events.map(({ schema_url: url }) => url),
      ]),
      'date-time',
      'Degrees north.',
      '&quot;provisional&quot;',
      '0 to 359',
      'Every record has all of these fields.',
      'starts_with',
      ...PROBLEM_SLUGS,
      ...WEBSOCKET_ERROR_CODES,
    ];
    expect(said.filter((text) => !html.includes(text))).toEqual([]);
  });

  test('is revalidated, compressed, and kept from doing what it does not need', async () => {
    const { discovery } = explorer.gateway.implementation;
    const page = await get(explorer.url);
    expect(page.status).toBe(200);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).toContain(`connect-src 'self' ${discovery.endpoints.websocket};`);
    expect(policy).not.toMatch(/unsafe|data:|\*/);
    const etag = page.headers.get('etag') ?? '';
    expect((await get(explorer.url, { 'If-None-Match': etag })).status).toBe(304);
    const small = await get(explorer.url, { 'Accept-Encoding': 'br, gzip' });
    expect(small.headers.get('content-encoding')).toBe('gzip');
    expect(small.headers.get('etag')).not.toBe(etag);
    expect(
      (await get(explorer.url, { 'Accept-Encoding': 'gzip;q=0' })).headers.get('content-encoding'),
    ).toBeNull();
  });

  test('its files have names that change with their content, and are kept for ever', async () => {
    const html = await (await get(explorer.url)).text();
    const files = [...html.matchAll(/(?:src|href)="(\/[^"]*explorer-assets\/[^"]+)"/g)].map(
      ([, path = '']) => path,
    );
    expect(files).toHaveLength(3);
    for (const path of files) {
      expect(path).toMatch(/-[A-Z0-9]{8}\.(js|css|svg)$/);
      const file = await get(new URL(path, explorer.url).href);
      expect(file.status).toBe(200);
      expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      const etag = file.headers.get('etag') ?? '';
      expect((await get(new URL(path, explorer.url).href, { 'If-None-Match': etag })).status).toBe(304);
    }
    expect((await get(new URL('/explorer-assets/none.js', explorer.url).href)).status).toBe(404);
  });
});

test('below a path prefix, page and files lie below it, also where a proxy strips it', async () => {
  await using prefixed = await startExplorer({
    environment: { ROSTACK__PUBLIC_URL: 'https://data.example/weather' },
    observations: 0,
  });
  expect(prefixed.url).toBe('https://data.example/weather/');
  const html = await (await prefixed.gateway.app.request(prefixed.url)).text();
  const [, script = ''] = /<script type="module" src="([^"]+)"/.exec(html) ?? [];
  expect(script).toMatch(/^\/weather\/explorer-assets\//);
  expect((await prefixed.gateway.app.request(`https://data.example${script}`)).status).toBe(200);

  await using stripped = await startExplorer({
    environment: {
      ROSTACK__PUBLIC_URL: 'https://data.example/weather',
      ROSTACK__LISTENERS__DATA__STRIPPED_PATH_PREFIX: '/weather',
    },
    observations: 0,
  });
  expect((await stripped.gateway.app.request('https://data.example/')).status).toBe(200);
  const inside = script.replace('/weather', '');
  expect((await stripped.gateway.app.request(`https://data.example${inside}`)).status).toBe(200);
});

test('where discovery is not public, the page tells nothing of what it says', async () => {
  await using closed = await startExplorer({
    environment: { ROSTACK__AUTHENTICATION__DISCOVERY_PUBLIC: 'false' },
    observations: 0,
  });
  const html = await (await closed.gateway.app.request(closed.url)).text();
  expect(html).toContain('Sample observatory');
  expect(html).toContain('Rostack-Token');
  expect(await htmlFaults(html)).toEqual([]);
  expect(html).not.toMatch(/stations|observations|explorer-data/);
});
