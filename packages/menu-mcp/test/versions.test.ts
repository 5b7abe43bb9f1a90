import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/server';
import { MENU_TOOLS } from 'menu-mcp';
import { createMenuMcpHandler, PROTOCOL_VERSIONS } from 'menu-mcp/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Menus, NOON_MS, openMenus } from './support/menus.ts';

const resources = new AsyncDisposableStack();
let menus: Menus;
let send: (body: object, headers?: Record<string, string>) => Promise<Response>;

beforeAll(async () => {
  menus = resources.use(await openMenus());
  const handler = resources.use(createMenuMcpHandler(menus.service, { clock: () => NOON_MS }));
  send = (body, headers = {}) =>
    handler.fetch(
      new Request('http://localhost/mcp', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }),
      }),
    );
});
afterAll(() => resources.disposeAsync());

interface Answer {
  result: Record<string, unknown>;
  error: { code: number; data?: { supported?: string[] } };
}
const read = async (answer: Promise<Response>) => (await (await answer).json()) as Answer;
const call = (name: string, args: object) => ({ method: 'tools/call', params: { name, arguments: args } });
const CALLS = [
  call('search_restaurants', { query: '강남' }),
  call('get_restaurant_menu', { vendor: 'welstory', restaurantId: 'REST000007', date: 'today' }),
];

test('the exported versions are those tested below', () => {
  expect(PROTOCOL_VERSIONS).toEqual(['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']);
});

describe.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])('%s', (version) => {
  test('is negotiated by the handshake', async () => {
    const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
    const { result } = await read(send({ method: 'initialize', params }));
    expect(result).toMatchObject({
      protocolVersion: version,
      serverInfo: { name: 'menu-mcp', version: '0.1.0' },
      capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
    });
    expect(JSON.stringify(result.capabilities)).not.toContain('true');
  });

  test('lists and calls both tools, with and without the version header', async () => {
    for (const headers of [{}, { 'mcp-protocol-version': version }]) {
      const { result } = await read(send({ method: 'tools/list' }, headers));
      expect(result.tools).toMatchObject(MENU_TOOLS.map(({ name }) => ({ name })));
      for (const body of CALLS) {
        const answer = await read(send(body, headers));
        expect(Object.keys(answer.result)).toEqual(['content', 'structuredContent']);
      }
    }
  });
});

test('a handshake for a future version negotiates the newest version with a handshake', async () => {
  const params = {
    protocolVersion: '2030-01-01',
    capabilities: {},
    clientInfo: { name: 'raw', version: '1' },
  };
  const { result } = await read(send({ method: 'initialize', params }));
  expect(result.protocolVersion).toBe('2025-11-25');
});

describe('2026-07-28', () => {
  const VERSION = '2026-07-28';

  /** A request of the stateless version: the envelope is in `_meta`, method and name are repeated in headers. */
  function stateless(
    body: { method: string; params?: { name?: string } },
    changes: Record<string, string | undefined> = {},
    version = VERSION,
  ) {
    const params = {
      ...body.params,
      _meta: {
        [PROTOCOL_VERSION_META_KEY]: version,
        [CLIENT_INFO_META_KEY]: { name: 'raw', version: '1' },
        [CLIENT_CAPABILITIES_META_KEY]: {},
      },
    };
    const name = body.params?.name;
    const headers: Record<string, string | undefined> = {
      'mcp-protocol-version': version,
      'mcp-method': body.method,
      ...(name === undefined ? {} : { 'mcp-name': name }),
      ...changes,
    };
    const given = Object.entries(headers).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    );
    return send({ ...body, params }, Object.fromEntries(given));
  }

  test('server/discover lists versions, capabilities and how long they are valid', async () => {
    const { result } = await read(stateless({ method: 'server/discover' }));
    expect(result).toMatchObject({
      resultType: 'complete',
      supportedVersions: [VERSION],
      capabilities: { tools: {}, resources: {}, prompts: {} },
      ttlMs: 3_600_000,
      cacheScope: 'public',
    });
  });

  test('lists are valid for an hour, for everyone', async () => {
    for (const method of ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'])
      expect((await read(stateless({ method }))).result, method).toMatchObject({
        resultType: 'complete',
        ttlMs: 3_600_000,
        cacheScope: 'public',
      });
  });

  test('both tools answer with a complete result, the same as in the versions before', async () => {
    for (const body of CALLS) {
      const answer = await stateless(body);
      expect(answer.headers.get('content-type')).toContain('application/json');
      const { result } = (await answer.json()) as Answer;
      const before = await read(send(body));
      expect(result).toMatchObject({ ...before.result, resultType: 'complete' });
    }
  });

  test.each([
    ['mcp-method', undefined],
    ['mcp-method', 'tools/list'],
    ['mcp-name', undefined],
    ['mcp-name', 'get_restaurant_menu'],
    ['mcp-protocol-version', undefined],
    ['mcp-protocol-version', '2025-11-25'],
  ])('a request whose header %s is %s is refused', async (header, value) => {
    const answer = await stateless(CALLS[0] as (typeof CALLS)[0], { [header]: value });
    expect(answer.status).toBe(400);
    expect((await read(Promise.resolve(answer))).error.code).toBe(-32_020);
  });

  test('a version that does not exist yet is refused, and the supported one named', async () => {
    const answer = await stateless({ method: 'tools/list' }, {}, '2030-01-01');
    expect(answer.status).toBe(400);
    expect((await read(Promise.resolve(answer))).error).toMatchObject({ data: { supported: [VERSION] } });
  });
});
