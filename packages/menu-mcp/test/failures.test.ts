import { assert, asyncProperty, constantFrom, jsonValue, oneof, record } from 'fast-check';
import { MENU_TOOLS, type MenuAnswer } from 'menu-mcp';
import { createMenuMcpHandler } from 'menu-mcp/server';
import { expect, test } from 'vitest';
import { NOON_MS, openMenus } from './support/menus.ts';

type Handler = ReturnType<typeof createMenuMcpHandler>;

async function post(handler: Handler, body: unknown): Promise<Response> {
  return handler.fetch(
    new Request('http://localhost/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify(body),
    }),
  );
}

interface Result {
  isError?: boolean;
  content: { text: string }[];
  structuredContent: MenuAnswer;
}

async function callTool(handler: Handler, name: string, args: object): Promise<Result> {
  const answer = await post(handler, {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: args },
  });
  return ((await answer.json()) as { result: Result }).result;
}

const MENU = { vendor: 'shinsegae', restaurantId: 'CAF1', date: 'today' };

test('a meal that cannot be read is reported as failed, never as empty, and does not hide the others', async () => {
  await using menus = await openMenus();
  await using handler = createMenuMcpHandler(menus.service, { clock: () => NOON_MS });
  await menus.service.restaurants();
  menus.sandbox.setFaults([{ fault: 'server-error', operator: 'shinsegae', path: '/portal/dailyMenu' }]);
  const { structuredContent, content, isError } = await callTool(handler, 'get_restaurant_menu', MENU);
  expect(isError).toBeUndefined();
  expect(content[0]?.text).toContain(
    'Could not be read (the operator’s server has a problem). That does not mean that there is none.',
  );
  expect(structuredContent.periods.length).toBeGreaterThan(0);
  for (const period of structuredContent.periods)
    expect(period).toMatchObject({
      status: 'failed',
      menus: [],
      error: { code: 'operator_unavailable', retryable: true },
    });
});

test('an operator that could never be read is explained in words, and is no fault', async () => {
  await using menus = await openMenus([{ fault: 'server-error' }]);
  const faults: Error[] = [];
  await using handler = createMenuMcpHandler(menus.service, { onError: (error) => faults.push(error) });
  const { isError, content } = await callTool(handler, 'get_restaurant_menu', MENU);
  expect(isError).toBe(true);
  expect(content[0]?.text).toMatch(/could not be read: the (?!reason)[^_]+\. Try again in a minute\./);
  expect(faults).toEqual([]);
});

test.each([
  ['maintenance', 'the operator is under maintenance. Try again in a minute.'],
  ['login-without-token', 'which somebody has to mend. Trying again will not help.'],
] as const)(
  '%s since the start: it is what is told, and the restaurants that can be read are compared',
  async (fault, told) => {
    await using menus = await openMenus([{ fault, operator: 'welstory' }]);
    await using handler = createMenuMcpHandler(menus.service, { clock: () => NOON_MS });
    const mine = { vendor: 'welstory', restaurantId: 'REST000007' };
    const { isError, content } = await callTool(handler, 'get_restaurant_menu', { ...mine, date: 'today' });
    expect([isError, content[0]?.text]).toEqual([true, expect.stringContaining(told)]);
    const read = { method: 'resources/read', params: { uri: 'menu://welstory/REST000007/today' } };
    const resource = await post(handler, { jsonrpc: '2.0', id: 2, ...read });
    expect(await resource.json()).toMatchObject({ error: { message: expect.stringContaining(told) } });

    const restaurants = [mine, { vendor: 'shinsegae', restaurantId: 'CAF109' }];
    const compared = await callTool(handler, 'compare_menus', { restaurants, dates: ['today'] });
    expect(compared.isError, compared.content[0]?.text).toBeUndefined();
    expect(compared.structuredContent).toMatchObject({
      restaurants: [
        { id: 'REST000007', days: [{ status: 'failed', menus: [] }] },
        { id: 'CAF109', days: [{ status: 'ok' }] },
      ],
    });
    expect(compared.content[0]?.text).toContain('which does not mean that there is none');
  },
);

test('a search that could not look everywhere is no error, names the operators and since when, and says what to do', async () => {
  const before = NOON_MS;
  await using menus = await openMenus([{ fault: 'server-error', operator: 'welstory' }]);
  await using handler = createMenuMcpHandler(menus.service);
  const search = async (query: string) => {
    const { isError, content, structuredContent } = await callTool(handler, 'search_restaurants', { query });
    expect(isError, content[0]?.text).toBeUndefined();
    expect(content[0]?.text).toMatch(
      /Not searched: welstory, since .*\(the operator’s server has a problem\)/,
    );
    expect(content[0]?.text).toContain('Do not report that there is no such restaurant');
    return structuredContent as unknown as {
      restaurants: { vendor: string }[];
      incomplete?: { operator: string; reason: string; since: string }[];
      hint?: string;
    };
  };
  for (const [query, found] of [
    ['한빛전자', false],
    ['기숙사식당', true],
  ] as const) {
    const { restaurants, incomplete, hint } = await search(query);
    expect(restaurants.length > 0, query).toBe(found);
    expect(incomplete).toEqual([
      { operator: 'welstory', reason: 'operator_unavailable', since: expect.stringMatching(/^\d{4}-.*Z$/) },
    ]);
    expect(Date.parse(incomplete?.[0]?.since ?? '')).toBeGreaterThanOrEqual(before);
    expect(hint).toMatch(/see incomplete\. Do not report that there is no such restaurant/);
  }
  await using whole = await openMenus();
  await using other = createMenuMcpHandler(whole.service);
  const { structuredContent } = await callTool(other, 'search_restaurants', { query: '아무데도없는곳' });
  expect(structuredContent).not.toHaveProperty('incomplete');
  expect(structuredContent).toMatchObject({
    restaurants: [],
    hint: expect.stringContaining('Nothing matches'),
  });
});

test('a search for a dish says which operators none of whose menus could be searched, and forbids to conclude anything', async () => {
  await using menus = await openMenus([{ fault: 'server-error', operator: 'welstory' }]);
  await using handler = createMenuMcpHandler(menus.service, { clock: () => NOON_MS });
  await menus.service.restaurants();
  const { content, structuredContent } = await callTool(handler, 'search_dishes', {
    query: '돈까스',
    place: '아무데도없는곳',
  });
  expect(structuredContent).toMatchObject({
    unreadDays: 0,
    incomplete: [{ operator: 'welstory', reason: 'operator_unavailable' }],
    hint: expect.stringContaining('do not report that nobody serves it'),
  });
  expect(content[0]?.text).toContain('do not report that nobody serves it');
});

test('any JSON gets a JSON-RPC answer and causes no fault of the program', async () => {
  await using menus = await openMenus();
  const faults: Error[] = [];
  await using handler = createMenuMcpHandler(menus.service, { onError: (error) => faults.push(error) });
  const nearly = record(
    {
      jsonrpc: oneof(constantFrom('2.0'), jsonValue()),
      id: oneof(constantFrom(1, 'a', null), jsonValue()),
      method: oneof(
        constantFrom(
          'initialize',
          'tools/call',
          'tools/list',
          'resources/read',
          'prompts/get',
          'completion/complete',
          'server/discover',
        ),
        jsonValue(),
      ),
      params: oneof(
        record({ name: constantFrom(...MENU_TOOLS.map(({ name }) => name), 'x'), arguments: jsonValue() }),
        record({ uri: oneof(constantFrom('menu://welstory/%00/today', 'menu://x'), jsonValue()) }),
        jsonValue(),
      ),
    },
    { requiredKeys: [] },
  );
  await assert(
    asyncProperty(
      oneof({ weight: 4, arbitrary: nearly }, { weight: 1, arbitrary: jsonValue() }),
      async (body) => {
        const answer = await post(handler, body);
        expect([200, 202, 400]).toContain(answer.status);
        const text = await answer.text();
        expect(answer.status === 202 ? { jsonrpc: '2.0' } : JSON.parse(text)).toMatchObject({
          jsonrpc: '2.0',
        });
      },
    ),
    { numRuns: 600 },
  );
  expect(faults).toEqual([]);
});
