import { readFile, writeFile } from 'node:fs/promises';
import { temporaryFolder } from 'test-support/temporary-folder';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../src/config/load-config.ts';
import { createGateway } from '../src/serving/gateway/create-gateway.ts';
import type { Gateway } from '../src/serving/gateway/gateway.ts';
import { createToken } from '../src/serving/token/tokens.ts';
import { bearing, get } from './support/get.ts';
import { caOf, records } from './support/observed.ts';
import { writeSampleConfig } from './support/sample-config.ts';

/** How many requests each client has. */
const BUDGET = 3;
const SECTIONS = `
listeners: { data: { port: 0, trusted_proxies: [127.0.0.1, "::1"] } }
authentication: { cohort_claim: cohort }
rates:
  per_address: { requests: ${BUDGET}, window: 1h }
  per_principal: { requests: ${BUDGET}, window: 1h }
  failed_authentications: { attempts: ${BUDGET}, window: 1h }
`;

/** Paths of the app whose answers are made once and only sent, so that they have no budget. */
const UNLIMITED = ['/', '/asyncapi.json', '/openapi.json'];

/** The paths that have one, what they answer, and what is counted: requests of an address, or of whoever presents a token. */
const LIMITED: readonly (readonly [path: string, status: number, counted: 'address' | 'principal'])[] = [
  ['/.well-known/rostack', 200, 'address'],
  ['/api/stations', 200, 'principal'],
  ['/api/stations/s0', 200, 'principal'],
  ['/api/nothing', 404, 'address'],
  ['/schemas/1/stations.schema.json', 200, 'address'],
  ['/schemas/nothing', 404, 'address'],
  ['/nothing', 404, 'address'],
];

/** Where only credentials that are wrong are counted: a cache asks there for each request that it has a budget for. */
const FAILURES = ['/api/stations', '/api/stations/s0', '/audience'];

const times = (status: number, ...more: readonly number[]) => [
  ...Array.from({ length: BUDGET }, () => status),
  ...more,
];

const stack = new AsyncDisposableStack();
let gateway: Gateway;
let clients = 0;

beforeAll(async () => {
  const folder = stack.use(await temporaryFolder());
  const file = await writeSampleConfig(folder.path, { sections: SECTIONS });
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace('    schema:', '    share: cohort\n    schema:'));
  gateway = stack.use(await createGateway(await loadConfig(file, { environment: {} })));
  await gateway.store.apply(records(1));
});

afterAll(() => stack.disposeAsync());

/** Asks so often, each time as the same client, which nobody else is. @returns the statuses */
async function ask(path: string, times: number, token?: string): Promise<readonly number[]> {
  clients += 1;
  const headers = { 'X-Forwarded-For': `192.0.2.${clients}`, ...(token !== undefined && bearing(token)) };
  const statuses: number[] = [];
  for (let time = 0; time < times; time += 1)
    statuses.push((await get(`${gateway.url}${path}`, { ca: caOf(gateway), headers })).status);
  return statuses;
}

async function tokenOf(subject: string): Promise<string> {
  const grants = ['stations:read', 'stations:follow'];
  return (await createToken(gateway.store.tokens, { subject, grants, claims: { cohort: subject } })).token;
}

describe('the budget of', () => {
  test.each(LIMITED)('%s, which answers %i, is that of the %s', async (path, status, counted) => {
    const token = counted === 'principal' ? await tokenOf(path) : undefined;
    expect(await ask(path, BUDGET + 1, token)).toEqual(times(status, 429));
    // A principal takes it along to another address; an address has none for another.
    expect(await ask(path, 1, token)).toEqual([counted === 'principal' ? 429 : status]);
  });

  test.each(FAILURES)(
    '%s for wrong credentials is that of the address, and right ones need none',
    async (path) => {
      expect(await ask(path, BUDGET + 2)).toEqual(times(401, 429, 429));
      expect(await ask(path, BUDGET + 1, 'rst1.wrong')).toEqual(times(401, 429));
      const status = path === '/audience' ? 204 : 200;
      expect(await ask(path, 1, await tokenOf(`another ${path}`))).toEqual([status]);
    },
  );
});

test('no route is missing here', async () => {
  const { endpoints } = gateway.implementation.discovery;
  const own = (url: string) => new URL(url).pathname;
  const advertised = [endpoints.discovery, ...gateway.implementation.schemas.keys()].map(own);
  const paths = LIMITED.map(([path]) => path);
  expect(paths).toEqual(expect.arrayContaining([...advertised, `${own(endpoints.json_api)}/stations`]));
  // What is asked by another method, or by no route of its own, is the rest's.
  const routes = gateway.app.routes.filter(({ method }) => method === 'GET').map(({ path }) => path);
  expect(routes.toSorted()).toEqual([
    '/',
    '/:rest{(?:explorer-assets/.*)?}',
    '/asyncapi.json',
    '/openapi.json',
  ]);
  const { body: page } = await get(`${gateway.url}/`, { ca: caOf(gateway) });
  const [asset = ''] = /\/explorer-assets\/[^"]+/.exec(String(page)) ?? [];
  for (const path of [...UNLIMITED, asset]) expect(await ask(path, BUDGET + 1)).not.toContain(429);
});
