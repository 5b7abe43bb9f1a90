import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Ajv } from 'ajv';
import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { ConformanceTester } from 'lighthouse/third-party/ard/ard.js';
import { PROTOCOL_VERSIONS } from 'menu-mcp/server';
import { expect, test } from 'vitest';
import { REGISTRY_SCHEMA } from './support/registry-schema.ts';
import { findOne, startTestCafeteria } from './support/running.ts';
import { SERVER_CARD_SCHEMA } from './support/server-card-schema.ts';
import { sharedCafeteria } from './support/shared.ts';

const site = sharedCafeteria();
const MENU_MCP = createRequire(import.meta.url)('menu-mcp/package.json') as { version: string };
const json = async <T>(path: string): Promise<T> => (await (await fetch(site.url + path)).json()) as T;

interface OpenApi {
  readonly paths: Record<
    string,
    { get: { responses: Record<string, { content?: Record<string, { schema?: AnySchema }> }> } }
  >;
  readonly components: { readonly schemas: object };
}

test('OpenAPI is clean by the linter of its field', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'openapi-'));
  const file = join(folder, 'openapi.json');
  await writeFile(file, await (await fetch(`${site.url}/openapi.json`)).text());
  await writeFile(join(folder, 'redocly.yaml'), 'extends: [recommended-strict]\n');
  const redocly = new URL('../node_modules/.bin/redocly', import.meta.url).pathname;
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const { stderr } = await promisify(execFile)(
    redocly,
    ['lint', file, '--config', join(folder, 'redocly.yaml')],
    { env },
  );
  expect(stderr).toContain('Your API description is valid');
  expect(stderr).not.toMatch(/warning/i);
  await rm(folder, { recursive: true });
});

test('every operation of OpenAPI answers what it says, with bodies of its schemas', async () => {
  const document = await json<OpenApi>('/openapi.json');
  const { vendor, id, path } = await findOne(site.url, 'R5');
  const slug = path.split('/').at(-1) ?? '';
  const day = await (await fetch(`${site.url}${path}/20261120`)).text();
  const values: Record<string, string> = { vendor, id, slug, menu: /\/menus\/([^"]+)"/.exec(day)?.[1] ?? '' };
  const fill = (template: string, date: string): string =>
    template.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
      name === 'date' ? date : (values[name] ?? ''),
    );
  const alarm = `?${new URLSearchParams({ dish: '김치', r: `${vendor}.${id}` }).toString()}`;
  const queries: Record<string, string> = {
    '/proxy/search': '?q=R5',
    '/proxy/dishes': '?q=김치',
    '/alarm.ics': alarm,
    '/alarm.rss': alarm,
  };
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  const seen = new Set<string>();
  for (const [template, { get }] of Object.entries(document.paths)) {
    const good = fill(template, '20261120') + (queries[template] ?? '');
    const requests: [string, Record<string, string>][] = [
      [good, {}],
      [good, { Accept: 'text/markdown' }],
      [fill(template, 'x'), {}],
      [fill(template.replace('{id}', 'none'), '20261120'), {}],
      [fill(template.replace('{slug}', 'other'), '20261120'), {}],
    ];
    for (const [url, headers] of requests) {
      const response = await fetch(site.url + url, { headers, redirect: 'manual' });
      const described = get.responses[String(response.status)];
      expect(described, `${url} answers ${response.status}`).toBeDefined();
      seen.add(`${template} ${response.status}`);
      const type = response.headers.get('content-type')?.split(';', 1)[0] ?? '';
      const body = await response.text();
      const schema = body === '' ? undefined : described?.content?.[type]?.schema;
      expect(schema !== undefined || body === '', `${url} answers ${type}`).toBe(true);
      const valid =
        !type.endsWith('json') ||
        ajv.validate({ ...(schema as object), components: document.components }, JSON.parse(body));
      expect(valid, JSON.stringify(ajv.errors)).toBe(true);
    }
  }
  expect([...seen].filter((each) => each.endsWith(' 200')).length).toBe(
    Object.keys(document.paths).length - 1,
  );
  for (const path of ['/proxy/search', '/proxy/dishes', '/alarm.ics', '/alarm.rss'])
    expect(seen).toContain(`${path} 400`);
});

test('every digest of the skill index is that of the bytes at its address', async () => {
  const index = await json<{
    $schema: string;
    skills: { name: string; type: string; description: string; url: string; digest: string }[];
  }>('/.well-known/agent-skills/index.json');
  expect(index.$schema).toBe('https://schemas.agentskills.io/discovery/0.2.0/schema.json');
  expect(index.skills).not.toEqual([]);
  for (const skill of index.skills) {
    expect(skill.name).toMatch(/^[a-z0-9-]{1,64}$/);
    expect(skill.type).toBe('skill-md');
    expect(skill.description.length).toBeLessThanOrEqual(1024);
    const bytes = Buffer.from(await (await fetch(skill.url)).arrayBuffer());
    expect(skill.digest).toBe(`sha256:${createHash('sha256').update(bytes).digest('hex')}`);
    expect(bytes.toString('utf8')).toMatch(new RegExp(`^---\nname: ${skill.name}\ndescription: `));
  }
});

test('every target of the API catalog answers with its type', async () => {
  const response = await fetch(`${site.url}/.well-known/api-catalog`);
  expect(response.headers.get('content-type')).toBe(
    'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  );
  const head = await fetch(`${site.url}/.well-known/api-catalog`, { method: 'HEAD' });
  expect(head.headers.get('link')).toContain('rel="api-catalog"');
  type Target = { href: string; type: string };
  const { linkset } = (await response.json()) as {
    linkset: ({ anchor: string } & Record<string, Target[]>)[];
  };
  expect(linkset.map(({ anchor }) => anchor.replace(site.url, ''))).toEqual([
    '/proxy/search',
    '/restaurants/',
    '/rss.xml',
    '/mcp',
  ]);
  for (const { anchor: _anchor, ...relations } of linkset) {
    for (const { href, type } of Object.values(relations).flat()) {
      const target = await fetch(href);
      expect(target.status, href).toBe(200);
      expect(type.replace('vnd.oai.openapi+json;version=3.1', 'json')).toBe(
        target.headers.get('content-type')?.split(';', 1)[0],
      );
    }
  }
});

interface ServerCard {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  readonly protocolVersion: string;
  readonly remotes: readonly {
    readonly url: string;
    readonly supportedProtocolVersions: readonly string[];
  }[];
  readonly serverInfo: object;
  readonly capabilities: object;
  readonly transport: { readonly endpoint: string };
  readonly tools: readonly {
    readonly name: string;
    readonly description: string;
    readonly inputSchema: { readonly properties?: object };
  }[];
}
const readCard = () => json<ServerCard>('/.well-known/mcp/server-card.json');

test('the server card keeps the rules of its schema', async () => {
  const ajv = new Ajv2020({ allErrors: true });
  addFormats.default(ajv);
  const validate = ajv.compile(SERVER_CARD_SCHEMA);
  const card = await readCard();
  expect(validate(card), JSON.stringify(validate.errors)).toBe(true);
  // The schema refuses each of these.
  for (const wrong of [
    { name: 'menus' },
    { description: 'x'.repeat(101) },
    { version: '^1.0.0' },
    { remotes: [] },
  ]) {
    expect(validate({ ...card, ...wrong }), JSON.stringify(wrong)).toBe(false);
  }
});

test('the server card says what the endpoint answers to a client of each generation', async () => {
  const card = await readCard();
  const url = new URL(card.remotes[0]?.url ?? '');
  expect(url.href).toBe(`${site.url}${card.transport.endpoint}`);
  const legacy = new Client({ name: 'test', version: '1.0.0' });
  await legacy.connect(new StreamableHTTPClientTransport(url));
  const modern = new ModernClient(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode: 'auto' } },
  );
  await modern.connect(new ModernTransport(url));
  expect(modern.getNegotiatedProtocolVersion()).toBe(card.protocolVersion);
  for (const client of [legacy, modern]) {
    expect(client.getServerVersion()).toEqual(card.serverInfo);
    expect(client.getServerVersion()).toMatchObject({
      name: card.name,
      title: card.title,
      version: card.version,
    });
    expect(client.getServerCapabilities()).toEqual(card.capabilities);
    const { tools } = await client.listTools();
    expect(tools.map(({ name, description }) => ({ name, description }))).toEqual(
      card.tools.map(({ name, description }) => ({ name, description })),
    );
    for (const [index, tool] of tools.entries())
      expect(Object.keys(tool.inputSchema.properties ?? {})).toEqual(
        Object.keys(card.tools[index]?.inputSchema.properties ?? {}),
      );
    await client.close();
  }
});

test('every protocol version of the server card is agreed on, and no other is told', async () => {
  const [remote] = (await readCard()).remotes;
  const versions = remote?.supportedProtocolVersions ?? [];
  expect(versions).toEqual([...PROTOCOL_VERSIONS]);
  for (const protocolVersion of versions.filter((version) => version < '2026')) {
    const response = await fetch(remote?.url ?? '', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } },
      }),
    });
    expect(await response.json()).toMatchObject({ result: { protocolVersion } });
  }
});

test('the catalogue of resources passes the checker of its field, at both addresses alike', async () => {
  const response = await fetch(`${site.url}/.well-known/ard.json`);
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  const text = await response.text();
  expect(await (await fetch(`${site.url}/.well-known/ai-catalog.json`)).text()).toBe(text);
  const check = (manifest: string) => {
    const tester = new ConformanceTester();
    tester.validate_manifest(manifest, 'ard.json');
    return [tester.errors, tester.warnings];
  };
  expect(check(text)).toEqual([[], []]);
  expect(check(text.replace('urn:air:', 'urn:x:'))).not.toEqual([[], []]);
  const { entries } = JSON.parse(text) as { entries: { url: string; type: string }[] };
  expect(entries).toHaveLength(3);
  for (const { url, type } of entries) {
    const target = await fetch(url);
    expect(target.status).toBe(200);
    expect(target.headers.get('content-type')?.split(';', 1)[0]).toBe(type.split(';', 1)[0]);
  }
  const head = await fetch(site.url, { method: 'HEAD' });
  expect(head.headers.get('link')).toContain('</.well-known/ard.json>; rel="ard"');
});

test('the entry for a registry keeps the rules of its schema, and names this site and the command', async () => {
  const ajv = new Ajv({ allErrors: true });
  addFormats.default(ajv);
  const validate = ajv.compile(REGISTRY_SCHEMA);
  const entry = await json<{
    name: string;
    version: string;
    remotes: { url: string }[];
    packages: { identifier: string; version: string }[];
  }>('/server.json');
  expect(validate(entry), JSON.stringify(validate.errors)).toBe(true);
  for (const wrong of [{ name: 'menus' }, { description: '' }, { packages: [{ registryType: 'npm' }] }])
    expect(validate({ ...entry, ...wrong })).toBe(false);
  const card = await readCard();
  expect(entry).toMatchObject({
    name: card.name,
    version: card.version,
    remotes: [{ url: `${site.url}/mcp` }],
    packages: [{ identifier: 'menu-mcp', version: MENU_MCP.version }],
  });
});

test('names are under the domain of PUBLIC_URL, or of a setting of their own; nothing names anybody else', async () => {
  await using own = await startTestCafeteria({ publicUrl: 'https://menu.example.org' });
  await using other = await startTestCafeteria({
    publicUrl: 'https://menu.example.org',
    authority: 'food.example.com',
    sourceUrl: 'https://git.example.com/menus',
  });
  const read = async (url: string, path: string) => (await fetch(url + path)).text();
  for (const path of [
    '/.well-known/mcp/server-card.json',
    '/server.json',
    '/openapi.json',
    '/.well-known/ard.json',
  ]) {
    expect(await read(own.url, path), path).not.toMatch(/rostack|git\.example/);
    // The catalogue of resources has no place for it.
    const named = (await read(other.url, path)).includes('https://git.example.com/menus');
    expect(named, path).toBe(!path.endsWith('/ard.json'));
  }
  expect(await read(own.url, '/server.json')).toContain('"name":"org.example.menu/cafeteria-menus"');
  expect(await read(other.url, '/server.json')).toContain('"name":"com.example.food/cafeteria-menus"');
  expect(await read(other.url, '/.well-known/ard.json')).toContain('urn:air:food.example.com:mcp:');
});

test('llms.txt has the form that its readers parse; every link of it answers', async () => {
  const text = await (await fetch(`${site.url}/llms.txt`)).text();
  expect(text).toMatch(/^# .+\n\n> .+\n/);
  const links = [...text.matchAll(/^- \[[^\]]+\]\(([^)]+)\)/gm)].map(([, url]) => url ?? '');
  expect(links.length).toBeGreaterThan(5);
  for (const url of links) expect((await fetch(url)).status, url).toBe(200);
});

test('robots.txt forbids nothing; the sitemap lists pages that are there', async () => {
  const robots = await (await fetch(`${site.url}/robots.txt`)).text();
  expect(robots).not.toMatch(/^Disallow: \//m);
  expect(robots).toMatch(/^Content-Signal: .*ai-input=yes/m);
  // Lighthouse refuses a file with a directive that it does not know.
  for (const line of robots.split('\n'))
    expect(line).toMatch(/^(?:#|$|(?:User-agent|Content-Signal|Allow|Sitemap): )/);
  for (const path of ['/', '/robots.txt', '/llms.txt'])
    expect((await fetch(site.url + path)).headers.get('content-usage')).toBe('search=y, train-ai=n');
  const sitemap = /^Sitemap: (.+)$/m.exec(robots)?.[1] ?? '';
  const urls = [...(await (await fetch(sitemap)).text()).matchAll(/<loc>([^<]+)<\/loc>/g)].map(
    ([, url]) => url ?? '',
  );
  expect(urls).toHaveLength(601);
  for (const url of [urls[0], urls[1], urls.at(-1)]) {
    const page = await fetch(url ?? '', { redirect: 'manual' });
    expect(page.status).toBe(200);
    expect(await page.text()).toContain(`<link rel="canonical" href="${url}"/>`);
  }
});
