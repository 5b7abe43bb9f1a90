import { Hono } from 'hono';
import { HtmlValidate } from 'html-validate';
import { PROBLEM_SLUGS, WEBSOCKET_ERROR_CODES } from 'rostack-core';
import { createExplorer } from 'rostack-explorer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningSite, startSite } from './support/start-site.ts';

let explorer: RunningSite;

beforeAll(async () => {
  explorer = await startSite();
});

afterAll(() => explorer[Symbol.asyncDispose]());

const get = async (url: string, headers: Record<string, string> = {}) =>
  explorer.app.request(url, { headers });

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

  test('says what discovery and the schemas say, without script, a resource at a time', async () => {
    const { discovery } = explorer.implementation;
    const pages = discovery.resources.map(async ({ name }) => {
      const answer = await get(`${explorer.url}?resource=${name}`);
      return answer.text();
    });
    const html = (await Promise.all(pages)).join('');
    expect(await (await get(explorer.url)).text()).toBe(await pages[0]);
    expect((await get(`${explorer.url}?resource=none`)).status).toBe(404);
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
    const { discovery } = explorer.implementation;
    const page = await get(explorer.url);
    expect(page.status).toBe(200);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).toContain(`connect-src 'self' ${explorer.baseUrl} ${discovery.endpoints.websocket};`);
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
    const files = [...html.matchAll(/(?:src|href)="(explorer-assets\/[^"]+)"/g)].map(([, path = '']) => path);
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

test('before somebody connects, the page loads little script: not the client and its models', async () => {
  const load = async (name: string): Promise<number> => {
    const text = await (await get(new URL(`explorer-assets/${name}`, explorer.url).href)).text();
    const imports = [...text.matchAll(/(?:from|import) ?"\.\/([^"]+)"/g)].map(([, inner = '']) => inner);
    const sizes = await Promise.all([...new Set(imports)].map(load));
    return text.length + sizes.reduce((left, right) => left + right, 0);
  };
  const [, script = ''] = /explorer-assets\/([^"]+\.js)"/.exec(await (await get(explorer.url)).text()) ?? [];
  const length = await load(script);
  expect(length).toBeGreaterThan(20_000);
  expect(length).toBeLessThan(60_000);
});

describe('mounted', () => {
  const subject = () => ({
    discovery: explorer.implementation.discovery,
    schemas: explorer.implementation.schemas,
  });

  test('at a path, it answers there and below, and leaves everything else to the app', async () => {
    const app = new Hono()
      .get('/', (c) => c.text('home'))
      .route('/docs/explorer', createExplorer({ implementation: subject() }))
      .get('/docs/explorer/about', (c) => c.text('about'));
    const page = await app.request('/docs/explorer/');
    const html = await page.text();
    expect(html).toContain('Sample observatory');
    const [, script = ''] = /<script type="module" src="([^"]+)"/.exec(html) ?? [];
    const address = new URL(script, 'http://localhost/docs/explorer/').pathname;
    expect((await app.request(address)).headers.get('content-type')).toContain('javascript');
    expect((await app.request('/docs/explorer/', { method: 'HEAD' })).status).toBe(200);
    expect(await (await app.request('/')).text()).toBe('home');
    expect(await (await app.request('/docs/explorer/about')).text()).toBe('about');
    expect((await app.request('/docs/explorer/', { method: 'POST' })).status).toBe(404);
  });

  test('without the slash at the end it leads there, relative to where the browser is', async () => {
    const app = new Hono().route('/docs/explorer', createExplorer({ implementation: subject() }));
    const answer = await app.request('/docs/explorer');
    expect(answer.status).toBe(308);
    const target = new URL(
      answer.headers.get('location') ?? '',
      'https://proxy.example/behind/docs/explorer',
    );
    expect(target.href).toBe('https://proxy.example/behind/docs/explorer/');
  });

  test('with a public path, the files are named by it and the page needs no slash', async () => {
    const app = new Hono().route('/', createExplorer({ implementation: subject(), publicPath: '/weather' }));
    const html = await (await app.request('/')).text();
    expect(html).toMatch(/<script type="module" src="\/weather\/explorer-assets\/[^"]+"/);
  });

  test('as a fetch handler, without Hono around it', async () => {
    const { fetch } = createExplorer({ implementation: subject() });
    const page = await fetch(new Request('http://localhost/'));
    expect(await page.text()).toContain('Sample observatory');
  });
});

test('where discovery is not public, the page says nothing of what is in it', async () => {
  await using closed = await startSite({ discoveryPublic: false, observations: 0 });
  const html = await (await closed.app.request(closed.url)).text();
  expect(html).toContain('Sample observatory');
  expect(html).toContain('Rostack-Token');
  expect(await htmlFaults(html)).toEqual([]);
  expect(html).not.toMatch(/stations|observations|explorer-data/);
});
