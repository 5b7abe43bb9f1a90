import { assert, asyncProperty, maxSafeInteger, oneof, string } from 'fast-check';
import type { MenuService, RestaurantList } from 'menu-client';
import { MENU_TOOLS } from 'menu-mcp';
import { createMenuMcpHandler, type MenuMcpHandlerOptions, PROTOCOL_VERSIONS } from 'menu-mcp/server';
import { ASKED_DATES, ASKED_MEALS, ASKED_NOON_MS, NO_DATES } from 'test-support/asked-dates';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Listener, listen } from './support/listen.ts';
import { type Menus, openMenus } from './support/menus.ts';

const JSON_TYPES = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 'a',
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};

const resources = new AsyncDisposableStack();
const faults: Error[] = [];
let menus: Menus;
let loopback: Listener;
let open: Listener;

async function serve(options: MenuMcpHandlerOptions): Promise<Listener> {
  const onError = (error: Error) => faults.push(error);
  const handler = resources.use(createMenuMcpHandler(menus.service, { onError, ...options }));
  return resources.use(await listen(handler.fetch));
}

beforeAll(async () => {
  menus = resources.use(await openMenus());
  loopback = await serve({});
  open = await serve({ exposure: 'public' });
});
afterAll(() => resources.disposeAsync());

function post(body: unknown, headers: Record<string, string> = {}, { url } = loopback): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { ...JSON_TYPES, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

async function rpcCode(answer: Response): Promise<number> {
  return ((await answer.json()) as { error: { code: number } }).error.code;
}

test.each(['GET', 'DELETE', 'PUT', 'PATCH', 'HEAD'])(
  '%s is answered 405 and names what is allowed',
  async (method) => {
    const answer = await fetch(loopback.url, { method, headers: { accept: 'text/event-stream' } });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('POST, OPTIONS');
  },
);

test.each([INITIALIZE, LIST, { ...LIST, method: 'ping' }])(
  '$method is answered as one JSON message',
  async (message) => {
    const answer = await post(message);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(await answer.json()).toMatchObject({ jsonrpc: '2.0', id: message.id, result: {} });
  },
);

test('no session is created, and one that a client sends is ignored', async () => {
  const answer = await post(INITIALIZE);
  expect(answer.headers.get('mcp-session-id')).toBeNull();
  expect((await post(LIST, { 'mcp-session-id': 'made-up' })).status).toBe(200);
});

test.each(['application/json', 'application/json, text/event-stream', '*/*'])(
  'a client that accepts %s gets JSON',
  async (accept) => {
    const answer = await post(LIST, { accept });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json']);
  },
);

const TOOLS = MENU_TOOLS.map(({ name }) => ({ name }));

test('a request needs no handshake before it', async () => {
  expect(await (await post(LIST)).json()).toMatchObject({ result: { tools: TOOLS } });
});

test.each([
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
  { jsonrpc: '2.0', id: 1, result: {} },
])('$method, a message that wants no answer, gets 202 without a body', async (message) => {
  const answer = await post(message);
  expect([answer.status, await answer.text()]).toEqual([202, '']);
});

test.each([[], [LIST], [INITIALIZE, LIST]])('an array is refused (%#)', async (...messages) => {
  const answer = await post(messages);
  expect([answer.status, await rpcCode(answer)]).toEqual([400, -32_600]);
});

test.each([
  '',
  '{',
  'null',
  '1',
  '"x"',
  '{}',
  '{"jsonrpc":"1.0","id":1,"method":"ping"}',
  '{"jsonrpc":"2.0","id":{},"method":"ping"}',
])('the body %j is answered 400 with a JSON-RPC error', async (body) => {
  const answer = await post(body);
  expect(answer.status).toBe(400);
  expect([-32_700, -32_600]).toContain(await rpcCode(answer));
});

test.each(['text/plain', 'application/x-www-form-urlencoded', ''])(
  'the content type %j is answered 415',
  async (type) => {
    expect((await post(LIST, { 'content-type': type })).status).toBe(415);
  },
);

test('a body over the limit is answered 413, declared or streamed', async () => {
  const large = JSON.stringify({ ...LIST, params: { filler: 'x'.repeat(70_000) } });
  expect((await post(large)).status).toBe(413);
  const stream = new Blob([large]).stream();
  const streamed = await fetch(loopback.url, {
    method: 'POST',
    headers: JSON_TYPES,
    body: stream,
    duplex: 'half',
  });
  expect(streamed.status).toBe(413);
  const small = new Blob([JSON.stringify(LIST)]).stream();
  expect(
    (await fetch(loopback.url, { method: 'POST', headers: JSON_TYPES, body: small, duplex: 'half' })).status,
  ).toBe(200);
});

test.each(['1999-01-01', '2027-01-01', 'x', '2026-07-28'])(
  'a message that cannot have the protocol version %s is answered 400 with the versions that are served',
  async (version) => {
    const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };
    for (const message of version === '2026-07-28' ? [INITIALIZE] : [INITIALIZE, LIST, notification]) {
      const answer = await post(message, { 'mcp-protocol-version': version });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({
        id: 'id' in message ? message.id : null,
        error: {
          code: -32_022,
          message: expect.stringContaining(PROTOCOL_VERSIONS.join(', ')) as string,
          data: { supported: PROTOCOL_VERSIONS, requested: version },
        },
      });
    }
  },
);

test('an unknown method gets a JSON-RPC error', async () => {
  expect(await rpcCode(await post({ ...LIST, method: 'no/such' }))).toBe(-32_601);
});

test('clients that choose the same id at the same time each get their own answer', async () => {
  const search = (query: string) =>
    post({ ...LIST, method: 'tools/call', params: { name: 'search_restaurants', arguments: { query } } });
  const queries = ['강남', 'R5', '판교', '송도', '거제', '없는곳'];
  const answers = await Promise.all(queries.map(async (query) => (await search(query)).json()));
  const alone = [];
  for (const query of queries) alone.push(await (await search(query)).json());
  expect(answers).toEqual(alone);
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(queries.length);
});

const SEARCH = {
  ...LIST,
  method: 'tools/call',
  params: { name: 'search_restaurants', arguments: { query: '강남' } },
};

test('an answer has the id of its request, even when others use the same id', async () => {
  const { result } = (await (await post(SEARCH)).json()) as { result: object };
  await assert(
    asyncProperty(oneof(string(), maxSafeInteger()), async (id) => {
      const [called, listed] = await Promise.all([post({ ...SEARCH, id }), post({ ...LIST, id })]);
      expect(await called.json()).toEqual({ jsonrpc: '2.0', id, result });
      expect(await listed.json()).toMatchObject({ jsonrpc: '2.0', id, result: { tools: TOOLS } });
    }),
    { numRuns: 50 },
  );
});

test.each([
  { ...SEARCH, jsonrpc: '1.0' },
  { ...SEARCH, id: null },
  { ...SEARCH, id: 1.5 },
  { ...SEARCH, result: {} },
])('a call that is no JSON-RPC request, %j, is answered 400', async (message) => {
  const answer = await post(message);
  expect(answer.status).toBe(400);
  expect([-32_700, -32_600]).toContain(await rpcCode(answer));
});

test.each([
  undefined,
  {},
  { name: 1 },
  { name: 'no_such_tool' },
  { name: 'toString' },
  { name: '__proto__' },
])('a call with the params %j is an error of the protocol', async (params) => {
  expect(await rpcCode(await post({ ...SEARCH, params }))).toBe(-32_602);
});

test.each([undefined, {}, { query: 1 }, { query: '' }, { query: 'R5', limit: 21 }])(
  'a search with the arguments %j gets a sentence that says what to send',
  async (args) => {
    const params = { name: 'search_restaurants', arguments: args };
    const answer = await post({ ...SEARCH, params });
    expect(await answer.json()).toMatchObject({
      id: 1,
      result: { isError: true, content: [{ text: expect.stringContaining('Send ') as string }] },
    });
  },
);

test('a call may leave out what has a default', async () => {
  const result = async (args: object) =>
    (await post({ ...SEARCH, params: { name: 'search_restaurants', arguments: args } })).json();
  expect(await result({ query: '강남' })).toEqual(await result({ query: '강남', limit: 10 }));
});

test('days and meals are understood as people say them', async () => {
  await using handler = createMenuMcpHandler(menus.service, { clock: () => ASKED_NOON_MS });
  await using endpoint = await listen(handler.fetch);
  const ask = async (args: object) => {
    const params = {
      name: 'get_restaurant_menu',
      arguments: { vendor: 'welstory', restaurantId: 'REST000007', ...args },
    };
    const answer = await post({ ...SEARCH, params }, {}, endpoint);
    const { result } = (await answer.json()) as {
      result: { isError?: true; structuredContent?: { date: string; periods: { meal: string }[] } };
    };
    const { date, periods = [] } = result.structuredContent ?? {};
    return { isError: result.isError, date, meals: periods.map(({ meal }) => meal) };
  };
  for (const [text, date] of ASKED_DATES) expect(await ask({ date: text }), text).toMatchObject({ date });
  for (const [text, date, code] of ASKED_MEALS) {
    const { meals, ...asked } = await ask({ date: text });
    expect(asked, text).toMatchObject({ date });
    expect(meals.filter((meal) => meal !== ['breakfast', 'lunch', 'dinner'][Number(code) - 1])).toEqual([]);
  }
  for (const text of NO_DATES) expect(await ask({ date: text }), text).toMatchObject({ isError: true });
  for (const [text, date] of ASKED_DATES) {
    const uri = `menu://welstory/REST000007/${encodeURIComponent(text)}`;
    const answer = await post({ ...LIST, method: 'resources/read', params: { uri } }, {}, endpoint);
    expect(await answer.text(), text).toContain(String.raw`\"date\":\"${date}\"`);
  }
  expect(await ask({ meal: '점심' })).toMatchObject({ meals: ['lunch'] });
});

test('a search that says nothing is told what to send', async () => {
  for (const query of ['도움말', 'help', '메뉴 알려줘']) {
    const answer = await post({ ...SEARCH, params: { name: 'search_restaurants', arguments: { query } } });
    expect(await answer.json()).toMatchObject({
      result: {
        structuredContent: { restaurants: [], hint: expect.stringContaining('Send query') as string },
      },
    });
  }
});

test('a search for dishes that names only a place is told which tools know its menus', async () => {
  for (const [query, place, hint] of [
    ['R5 점심', undefined, 'search_restaurants'],
    ['Pangyo lunch menu', undefined, 'search_restaurants'],
    ['내일 점심', '판교', 'Send query'],
    ['메뉴 뭐야', undefined, 'Send query'],
    ['없는요리이름', undefined, 'has been read'],
  ] as const) {
    const params = { name: 'search_dishes', arguments: { query, place } };
    const answer = await post({ ...SEARCH, params });
    expect(await answer.json(), query).toMatchObject({
      result: { structuredContent: { total: 0, hint: expect.stringContaining(hint) as string } },
    });
  }
});

test('a place alone is searched, however little is sent as query', async () => {
  const found = async (args: object) => {
    const answer = await post({ ...SEARCH, params: { name: 'search_restaurants', arguments: args } });
    return (await answer.json()) as object;
  };
  for (const query of ['', ' ', null])
    expect(await found({ query, place: '판교' })).toEqual(await found({ place: '판교' }));
});

test.each<[string, object, object]>([
  ['all parameters', { params: null }, {}],
  ['a cursor', { params: { cursor: null } }, {}],
  ['what goes with them', { params: { _meta: null } }, {}],
  ['the token of progress', { params: { _meta: { progressToken: null } } }, {}],
  [
    'the arguments of a tool',
    { method: 'tools/call', params: { name: 'search_restaurants', arguments: null } },
    { method: 'tools/call', params: { name: 'search_restaurants' } },
  ],
  [
    'an argument of a prompt',
    { method: 'prompts/get', params: { name: 'what_can_i_eat', arguments: { place: '강남', date: null } } },
    { method: 'prompts/get', params: { name: 'what_can_i_eat', arguments: { place: '강남' } } },
  ],
])('null for %s is as good as nothing', async (_what, given, meant) => {
  const answer = await post({ ...LIST, ...given });
  expect([answer.status, await answer.json()]).toEqual([
    200,
    await (await post({ ...LIST, ...meant })).json(),
  ]);
});

test('null is as good as nothing', async () => {
  const result = async (name: string, args: object) =>
    (await post({ ...SEARCH, params: { name, arguments: args } })).json();
  expect(await result('search_restaurants', { query: '강남', place: null, limit: null })).toEqual(
    await result('search_restaurants', { query: '강남' }),
  );
  const menu = { vendor: 'welstory', restaurantId: 'REST000007' };
  expect(
    await result('get_restaurant_menu', { ...menu, date: null, meal: null, view: null, sort: null }),
  ).toEqual(await result('get_restaurant_menu', menu));
  expect(await result('get_restaurant_menu', { ...menu, vendor: null })).toMatchObject({
    result: { isError: true, content: [{ text: expect.stringContaining('Send vendor') as string }] },
  });
});

/** The service of these tests, but for its search. */
const withSearch = (search: MenuService['search']): MenuService =>
  Object.assign(Object.create(menus.service) as MenuService, { search });

test('one client cannot cancel the call of another', async () => {
  const { promise: found, resolve: find } = Promise.withResolvers<RestaurantList>();
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  const search = () => {
    ask();
    return found;
  };
  await using handler = createMenuMcpHandler(withSearch(search));
  await using endpoint = await listen(handler.fetch);
  const answer = post(SEARCH, {}, endpoint);
  await asked;
  for (let requestId = 0; requestId < 5; requestId += 1) {
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } };
    expect((await post(cancel, {}, endpoint)).status).toBe(202);
  }
  find({ restaurants: [], incomplete: [] });
  expect(await (await answer).json()).toMatchObject({ id: 1, result: { structuredContent: {} } });
});

describe('origins and hosts', () => {
  const origin = (value: string, listener = loopback) => post(LIST, { origin: value }, listener);

  test.each([
    'null',
    'https://example.com',
    'http://localhost.example.com',
    'file://',
    'http://127.0.0.1.nip.io',
    'x',
  ])('a loopback server refuses %s', async (value) => {
    expect((await origin(value)).status).toBe(403);
  });

  test.each(['http://localhost', 'http://localhost:5173', 'https://127.0.0.1:8443', 'http://[::1]:3000'])(
    'a loopback server lets %s in',
    async (value) => {
      const answer = await origin(value);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('access-control-allow-origin')).toBe(value);
    },
  );

  test.each([
    'null',
    'http://localhost:6274',
    'http://example.com',
    'https://example.com',
    'vscode-webview://1a2b3c',
    'app://obsidian.md',
    'file://',
  ])('a public server, which knows nobody, lets %s in without credentials', async (value) => {
    const answer = await origin(value, open);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBe(value);
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
  });

  test('another host name reaches a public server but no loopback one', async () => {
    const call = async (handler: { fetch(request: Request): Promise<Response> }) => {
      const headers = { ...JSON_TYPES, host: 'menus.example.com' };
      const request = new Request('http://menus.example.com/mcp', {
        method: 'POST',
        headers,
        body: JSON.stringify(LIST),
      });
      return (await handler.fetch(request)).status;
    };
    await using closed = createMenuMcpHandler(menus.service);
    await using reachable = createMenuMcpHandler(menus.service, { exposure: 'public' });
    expect(await call(closed)).toBe(403);
    expect(await call(reachable)).toBe(200);
  });

  test('a preflight is answered 204 with what a browser may send and read', async () => {
    const answer = await fetch(open.url, {
      method: 'OPTIONS',
      headers: { origin: 'https://example.com', 'access-control-request-method': 'POST' },
    });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('access-control-allow-methods')).toContain('POST');
    for (const name of ['content-type', 'mcp-protocol-version', 'mcp-session-id', 'mcp-method', 'mcp-name'])
      expect(answer.headers.get('access-control-allow-headers')?.split(', ')).toContain(name);
    const exposed = answer.headers.get('access-control-expose-headers')?.split(', ');
    expect(exposed).toEqual(['mcp-session-id', 'mcp-protocol-version']);
    expect((await fetch(loopback.url, { method: 'OPTIONS', headers: { origin: 'null' } })).status).toBe(403);
    const asked = 'content-type,x-trace-id,mcp-protocol-version';
    const echoed = await fetch(open.url, {
      method: 'OPTIONS',
      headers: { origin: 'null', 'access-control-request-headers': asked },
    });
    expect(echoed.headers.get('access-control-allow-headers')).toBe(asked);
    expect(echoed.headers.get('vary')).toContain('access-control-request-headers');
  });

  test('every answer, of errors too, can be read by the browser that asked', async () => {
    for (const answer of [
      await fetch(open.url, { headers: { origin: 'https://example.com' } }),
      await post('{', { origin: 'https://example.com' }, open),
      await post([], { origin: 'https://example.com' }, open),
      await post(INITIALIZE, { origin: 'https://example.com' }, open),
      await post(
        { jsonrpc: '2.0', method: 'notifications/initialized' },
        { origin: 'https://example.com' },
        open,
      ),
    ]) {
      expect(answer.headers.get('access-control-allow-origin')).toBe('https://example.com');
      expect(answer.headers.get('vary')).toContain('origin');
    }
  });
});

test('a cache is told that answers differ by origin, also when the first one to ask has none', async () => {
  for (const answer of [
    await post(INITIALIZE, {}, open),
    await post(LIST, {}, open),
    await post('{', {}, open),
    await fetch(open.url, { method: 'OPTIONS' }),
  ])
    expect(answer.headers.get('vary')?.split(/,\s*/)).toContain('origin');
});

test('a fault of the program is reported to its owner and not to the client', async () => {
  faults.length = 0;
  const broken = withSearch(() => Promise.reject(new TypeError('secret detail')));
  await using handler = createMenuMcpHandler(broken, { onError: (error) => faults.push(error) });
  await using endpoint = await listen(handler.fetch);
  const call = { name: 'search_restaurants', arguments: { query: 'x' } };
  const text = await (await post({ ...LIST, method: 'tools/call', params: call }, {}, endpoint)).text();
  expect(text).not.toContain('secret detail');
  expect(text).toContain('isError');
  expect(faults.map(({ message }) => message)).toEqual(['secret detail']);
});

test('after closing, requests are answered 503', async () => {
  const handler = createMenuMcpHandler(menus.service);
  await using endpoint = await listen(handler.fetch);
  expect((await post(LIST, {}, endpoint)).status).toBe(200);
  await handler.close();
  expect((await post(LIST, {}, endpoint)).status).toBe(503);
});
