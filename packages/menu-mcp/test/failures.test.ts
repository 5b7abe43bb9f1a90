import { assert, asyncProperty, constantFrom, jsonValue, oneof, record } from 'fast-check';
import { createMenuMcpHandler, type DailyMenuOutput, MENU_TOOLS } from 'menu-mcp';
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
  structuredContent: DailyMenuOutput;
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
  const { structuredContent, isError } = await callTool(handler, 'get_restaurant_menu', MENU);
  expect(isError).toBeUndefined();
  expect(structuredContent.periods.length).toBeGreaterThan(0);
  for (const period of structuredContent.periods)
    expect(period).toMatchObject({
      status: 'failed',
      menus: [],
      error: { code: 'operator_unavailable', retryable: true },
    });
});

test('an operator that could never be read is explained in a sentence with a code, and is no fault', async () => {
  await using menus = await openMenus([{ fault: 'server-error' }]);
  const faults: Error[] = [];
  await using handler = createMenuMcpHandler(menus.service, { onError: (error) => faults.push(error) });
  for (const [name, args] of [
    ['search_restaurants', { query: '강남' }],
    ['get_restaurant_menu', MENU],
  ] as const) {
    const { isError, content } = await callTool(handler, name, args);
    expect(isError).toBe(true);
    expect(content[0]?.text).toMatch(/could not be read \([a-z_]+\)\. Try again in a minute\./);
  }
  expect(faults).toEqual([]);
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
