import { Parser } from '@asyncapi/parser';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { type TemporaryFolder, temporaryFolder } from 'test-support/temporary-folder';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGateway, type Gateway, loadConfig } from '../src/index.ts';
import { writeSampleConfig } from './support/sample-config.ts';

const OPENAPI = 'application/vnd.oai.openapi+json;version=3.1';
const ASYNCAPI = 'application/vnd.aai.asyncapi+json;version=3.0.0';

/** Errors and warnings of the parser; hints are not meant. */
const isFault = ({ severity }: { readonly severity: number }): boolean => severity <= 1;

const open = new AsyncDisposableStack();
let folder: TemporaryFolder;
let gateway: Gateway;

/** A gateway over a configuration of its own, closed at the end of the file. */
async function serve(
  name: string,
  sections: string,
  environment: Record<string, string> = {},
): Promise<Gateway> {
  const file = await writeSampleConfig(`${folder.path}/${name}`, { sections });
  return open.use(await createGateway(await loadConfig(file, { environment })));
}

beforeAll(async () => {
  folder = await temporaryFolder();
  gateway = await serve('plain', '');
});
afterAll(async () => {
  await open.disposeAsync();
  await folder[Symbol.asyncDispose]();
});

const get = (path: string, headers: Record<string, string> = {}, of = gateway) =>
  of.app.request(`${of.url}${path}`, { headers: { host: new URL(of.url).host, ...headers } });

test('OpenAPI is served, for anyone, and passes redocly', async () => {
  const answer = await get('/openapi.json', { origin: 'https://tools.example' });
  expect(answer.status).toBe(200);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': OPENAPI,
    'cache-control': 'public, max-age=300',
    'access-control-allow-origin': '*',
  });
  const source = await answer.text();
  const config = await createConfig({ extends: ['recommended-strict'], rules: { 'info-license': 'off' } });
  // The certificate is for localhost, which redocly would not see in a real description.
  const problems = await lintFromString({ source: source.replaceAll('localhost', 'data.example'), config });
  expect(problems.map(({ ruleId, message }) => ({ ruleId, message }))).toEqual([]);
  expect(Object.keys((JSON.parse(source) as { paths: object }).paths)).toContain('/stations/{id}');
});

test('AsyncAPI is served and passes its parser', async () => {
  const answer = await get('/asyncapi.json');
  expect(answer.headers.get('content-type')).toBe(ASYNCAPI);
  const { document, diagnostics } = await new Parser().parse(await answer.text());
  expect(diagnostics.filter(isFault)).toEqual([]);
  expect(document?.allOperations().get('send.event.stations.station.created')).toBeDefined();
});

test('a description that the client has is not sent again', async () => {
  const etag = (await get('/openapi.json')).headers.get('etag') ?? '';
  const answer = await get('/openapi.json', { 'if-none-match': `W/"other", ${etag}` });
  expect([answer.status, await answer.text()]).toEqual([304, '']);
});

test('discovery and the documentation link to them', async () => {
  const links = [
    `<${gateway.url}/openapi.json>; rel="service-desc"; type="${OPENAPI}"`,
    `<${gateway.url}/asyncapi.json>; rel="service-desc"; type="${ASYNCAPI}"`,
  ].join(', ');
  expect((await get('/.well-known/rostack')).headers.get('link')).toContain(links);
  expect((await get('/')).headers.get('link')).toContain(links);
  expect((await get('/api/stations')).headers.get('link')).toBeNull();
});

test('they are where the configuration says, below the path of the public URL', async () => {
  const moved = await serve(
    'moved',
    `public_url: https://data.example/stations
descriptions: { openapi_path: /docs/openapi.json, asyncapi_path: off }
browsers: { cors_origins: [https://app.example] }`,
  );
  const answer = await get('/docs/openapi.json', { origin: 'https://app.example' }, moved);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('access-control-allow-origin')).toBe('https://app.example');
  expect((await get('/asyncapi.json', {}, moved)).status).toBe(404);
  const discovery = await moved.app.request('https://data.example/.well-known/rostack', {
    headers: { host: 'data.example' },
  });
  expect(discovery.headers.get('link')).toBe(
    `<https://data.example/stations/docs/openapi.json>; rel="service-desc"; type="${OPENAPI}"`,
  );
});

test('where discovery is not public they are not served', async () => {
  const closed = await serve('closed', 'authentication: { discovery_public: false }');
  expect((await get('/openapi.json', {}, closed)).status).toBe(404);
  expect((await get('/', {}, closed)).headers.get('link')).toBeNull();
});

test('a path that is none is refused with what to write', async () => {
  const file = await writeSampleConfig(`${folder.path}/wrong`, {
    sections: 'descriptions: { openapi_path: openapi.json }',
  });
  await expect(loadConfig(file, { environment: {} })).rejects.toThrow(
    'descriptions.openapi_path is "openapi.json"; write a path such as /openapi.json, or off.',
  );
});
