import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { RequestReport } from 'rostack-server';
import { type TemporaryFolder, temporaryFolder } from 'test-support/temporary-folder';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parseConfig } from '../src/config/load-config.ts';
import { createGateway } from '../src/serving/gateway/create-gateway.ts';
import type { Gateway } from '../src/serving/gateway/gateway.ts';
import { createToken } from '../src/serving/token/tokens.ts';
import { type Edge, hasNginx, startEdge } from './support/edge.ts';

const PATH = '/api/stations';
const SCHEMA = {
  type: 'object',
  required: ['id', 'region'],
  properties: { id: { type: 'string' }, region: { type: 'string' } },
  additionalProperties: false,
};
const FIRST_PAGE_FRESH_MS = 5_000;
const ALLOWED = 'https://app.example';

interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: string;
}

interface Collection {
  readonly items: readonly { readonly id: string; readonly region: string }[];
  readonly page: { readonly next_cursor: string | null };
}

const collectionOf = ({ status, bytes }: Reply): Collection => {
  expect([status, bytes.slice(0, 9)]).toEqual([200, '{"page":{']);
  return JSON.parse(bytes) as Collection;
};

describe.skipIf(!hasNginx)('behind nginx (skipped where there is none with auth_request)', () => {
  const resources = new AsyncDisposableStack();
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  let folder: TemporaryFolder;
  let gateway: Gateway;
  let edge: Edge;
  let reports: RequestReport[] = [];
  /** Makes the paths of a test its own. */
  let limit = 10;
  let members = 0;

  beforeAll(async () => {
    folder = resources.use(await temporaryFolder());
    await writeFile(join(folder.path, 'station.schema.json'), JSON.stringify(SCHEMA));
    const config = await parseConfig(
      {
        identity: { id: 'edge', name: 'Edge', api_version: '1' },
        public_url: 'https://localhost',
        data_dir: '.',
        listeners: { data: { port: 0, tls: 'off', trusted_proxies: ['127.0.0.1'] } },
        authentication: { cohort_claim: 'cohort' },
        permissions: { 'stations:read': 'Read.', 'stations:other': 'Other.' },
        browsers: { cors_origins: [ALLOWED] },
        resources: {
          stations: {
            schema: 'station.schema.json',
            share: 'cohort',
            read_permissions: ['stations:read'],
            visible: { '/region': { eq: { principal: 'claims.region' } } },
          },
        },
      },
      { environment: {}, folder: folder.path },
    );
    gateway = resources.use(
      await createGateway(config, { hooks: { onRequest: (report) => void reports.push(report) } }),
    );
    await gateway.store.apply(
      Array.from({ length: 80 }, (_, number) => ({
        op: 'put',
        resource: 'stations',
        record: { id: `s${number}`, region: number % 2 === 0 ? 'north' : 'south' },
      })),
    );
    edge = resources.use(await startEdge(gateway.port, PATH));
    resources.defer(() => agent.destroy());
  });
  afterAll(() => resources.disposeAsync());
  beforeEach(() => {
    limit += 1;
    reports = [];
  });

  /** A token of its own. */
  const member = async (cohort: string, region = cohort, grants = ['stations:read']) => {
    const made = await createToken(gateway.store.tokens, {
      subject: `${cohort} ${(members += 1)}`,
      grants,
      claims: { cohort, region },
    });
    return { ...made, authorization: `Rostack-Token ${made.token}` };
  };

  async function ask(
    headers: Readonly<Record<string, string | readonly string[]>>,
    { path = `${PATH}?limit=${limit}`, method = 'GET' } = {},
  ): Promise<Reply> {
    const asked = request({ agent, host: '127.0.0.1', port: edge.port, path, method });
    for (const [name, value] of Object.entries(headers)) asked.setHeader(name, value);
    asked.end();
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    const bytes = (await buffer(response)).toString();
    return { status: response.statusCode ?? 0, headers: response.headers, bytes };
  }

  const listsAtGateway = () => reports.filter(({ operation }) => operation === 'list').length;

  test('members of a cohort are given the same bytes, which the gateway made once; nobody else is', async () => {
    const [first, second, south] = [await member('north'), await member('north'), await member('south')];
    const answers = [];
    for (const { authorization } of [first, second]) answers.push(await ask({ authorization }));
    expect(answers.map(({ headers }) => headers['x-edge-cache'])).toEqual(['MISS', 'HIT']);
    expect(answers[1]?.bytes).toBe(answers[0]?.bytes);
    expect(listsAtGateway()).toBe(1);
    const others = [south, await member('north', 'south'), await member('north', 'nowhere')];
    const regions = [];
    for (const { authorization } of others) {
      const { items } = collectionOf(await ask({ authorization }));
      regions.push([...new Set(items.map(({ region }) => region))]);
    }
    expect(regions).toEqual([['south'], ['south'], []]);
    const more = await member('north', 'north', ['stations:read', 'stations:other']);
    expect((await ask({ authorization: more.authorization })).headers['x-edge-cache']).toBe('MISS');
    const less = await member('north', 'north', ['stations:other']);
    expect(await ask({ authorization: less.authorization })).toMatchObject({
      status: 403,
      headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store' },
    });
    for (const headers of [{}, { authorization: 'Rostack-Token wrong' }]) {
      const refused = await ask(headers);
      expect(refused).toMatchObject({ status: 401, headers: { 'content-type': 'application/problem+json' } });
      expect(refused.headers['www-authenticate']).toContain('Rostack-Token');
    }
  });

  test('what a client sends gets neither into the answers of others nor into another cohort', async () => {
    const [north, again, south] = [await member('north'), await member('north'), await member('south')];
    const audience = await ask(north, { path: '/audience' }).then(
      ({ headers }) => headers['x-rostack-audience'],
    );
    expect(audience).toEqual(expect.any(String));
    const hostile = {
      'X-Rostack-Audience': String(audience),
      'X-Request-Id': 'poison-1',
      'X-Forwarded-Host': 'evil.example',
      'X-Forwarded-Proto': 'http',
      'X-Forwarded-For': '203.0.113.9',
      'X-Original-URL': '/api/none',
      'X-HTTP-Method-Override': 'DELETE',
      'Accept-Encoding': 'gzip',
      Range: 'bytes=0-9',
      'If-None-Match': '"x"',
      Forwarded: 'host=evil.example;proto=http',
      Cookie: 'poison=1',
    };
    await ask({ ...hostile, authorization: north.authorization });
    const clean = await ask({ authorization: again.authorization });
    expect(clean.headers['x-edge-cache']).toBe('HIT');
    expect(JSON.stringify(clean)).not.toMatch(/poison|evil/);
    expect(collectionOf(clean).items).toHaveLength(limit);
    const { Range: _range, ...rest } = hostile;
    const stolen = collectionOf(await ask({ ...rest, authorization: south.authorization }));
    expect(new Set(stolen.items.map(({ region }) => region))).toEqual(new Set(['south']));
    // Two credentials: whichever counts, it is the same one for the key and for the gateway.
    for (const pair of [
      [north, south],
      [south, north],
    ] as const) {
      const both = await ask({ authorization: pair.map(({ authorization }) => authorization) });
      const [counted] = pair;
      if (both.status !== 200) continue;
      expect(both.bytes).toBe((await ask({ authorization: counted.authorization })).bytes);
    }
  });

  test('HEAD, ranges and other methods leave whole pages in the cache', async () => {
    const { authorization } = await member('north');
    const head = await ask({ authorization }, { method: 'HEAD' });
    expect([head.status, head.bytes]).toEqual([200, '']);
    const whole = await ask({ authorization });
    expect(collectionOf(whole).items).toHaveLength(limit);
    expect(listsAtGateway()).toBe(1);
    const part = await ask({ authorization, Range: 'bytes=2-6' });
    expect([
      [206, 'items'],
      [200, whole.bytes],
    ]).toContainEqual([part.status, part.bytes]);
    const etag = String(whole.headers.etag);
    expect(await ask({ authorization, 'If-None-Match': etag })).toMatchObject({ status: 304, bytes: '' });
    expect((await ask({ authorization }, { method: 'DELETE' })).status).toBe(405);
    expect((await ask({ Origin: ALLOWED }, { method: 'OPTIONS' })).status).toBe(204);
    expect((await ask({ authorization })).bytes).toBe(whole.bytes);
  });

  test('an answer for one origin or media type is not given to another', async () => {
    const { authorization } = await member('north');
    const allowedFor = async (headers: Readonly<Record<string, string>>) =>
      (await ask({ authorization, ...headers })).headers['access-control-allow-origin'];
    expect(await allowedFor({ Origin: 'https://evil.example' })).toBeUndefined();
    expect(await allowedFor({ Origin: ALLOWED })).toBe(ALLOWED);
    expect(await allowedFor({})).toBeUndefined();
    expect(await allowedFor({ Origin: ALLOWED, Accept: 'application/json' })).toBe(ALLOWED);
    // A blank in a field must not make it look like two.
    expect(await allowedFor({ Origin: `${ALLOWED} application/json`, Accept: '' })).toBeUndefined();
    expect((await ask({ authorization, Accept: 'text/csv' })).status).toBe(406);
    expect((await ask({ authorization, Accept: 'application/json' })).status).toBe(200);
  });

  test('a first sync of many costs the gateway a chain for each cohort', async () => {
    const cohorts = ['north', 'south'];
    const readers = await Promise.all(
      Array.from({ length: 24 }, (_, number) => member(cohorts[number % 2] ?? '')),
    );
    const startedMs = performance.now();
    const chains = await Promise.all(
      readers.map(async ({ authorization }) => {
        const ids: string[] = [];
        let cursor: string | null = '';
        while (cursor !== null) {
          const suffix: string = cursor === '' ? '' : `&cursor=${cursor}`;
          const { items, page } = collectionOf(
            await ask({ authorization }, { path: `${PATH}?limit=${limit}${suffix}` }),
          );
          ids.push(...items.map(({ id }) => id));
          cursor = page.next_cursor;
        }
        return ids;
      }),
    );
    for (const ids of chains) expect(new Set(ids).size).toBe(40);
    expect(new Set(chains.map((ids) => ids.join())).size).toBe(2);
    // A first page is fresh for 5 s: whoever comes later on a slow machine begins another chain.
    const chainsAtMost = 2 * (1 + Math.floor((performance.now() - startedMs) / FIRST_PAGE_FRESH_MS));
    expect(listsAtGateway()).toBeLessThanOrEqual(chainsAtMost * Math.ceil(40 / limit));
  });

  test('a revocation takes effect within 2 s, also where all pages are in the cache', async () => {
    const [kept, revoked] = [await member('north'), await member('north')];
    expect((await ask({ authorization: kept.authorization })).status).toBe(200);
    expect((await ask({ authorization: revoked.authorization })).headers['x-edge-cache']).toBe('HIT');
    await gateway.store.tokens.revoke(revoked.tokenId);
    const revokedAtMs = performance.now();
    let lastServedMs = revokedAtMs;
    for (;;) {
      const startedMs = performance.now();
      const { status } = await ask({ authorization: revoked.authorization });
      if (status === 401) break;
      expect(status).toBe(200);
      lastServedMs = startedMs;
    }
    expect(lastServedMs - revokedAtMs).toBeLessThan(2_000);
    expect((await ask({ authorization: kept.authorization })).status).toBe(200);
  });
});
