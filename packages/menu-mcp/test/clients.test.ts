import { MENU_TOOLS } from 'menu-mcp';
import { createMenuMcpHandler } from 'menu-mcp/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type AnyClient, CLIENTS, type Target } from './support/clients.ts';
import { type Listener, listen } from './support/listen.ts';
import { type Menus, NOON_MS, openMenus, TODAY } from './support/menus.ts';

const CLI = new URL('../src/cli.ts', import.meta.url).pathname;

const listed = (schema: object): object => JSON.parse(JSON.stringify(schema)) as object;

const PLAIN_MEMBERS = new Set('type enum minimum maximum description items properties required'.split(' '));

/** Every member of a schema and of those in it. */
function* membersOf(schema: object = {}): Generator<string> {
  for (const [member, value] of Object.entries(schema) as [string, object][]) {
    yield member;
    if (member === 'properties') for (const each of Object.values(value)) yield* membersOf(each as object);
    else if (typeof value === 'object' && !Array.isArray(value)) yield* membersOf(value);
  }
}

let menus: Menus;
let endpoint: Listener;
const handlers = new AsyncDisposableStack();

beforeAll(async () => {
  menus = handlers.use(await openMenus());
  const handler = handlers.use(createMenuMcpHandler(menus.service, { clock: () => NOON_MS }));
  endpoint = handlers.use(await listen(handler.fetch));
});
afterAll(() => handlers.disposeAsync());

const TARGETS: Record<string, () => Target> = {
  HTTP: () => ({ url: endpoint.url }),
  stdio: () => ({
    command: process.execPath,
    args: ['--conditions=workspace-source', CLI],
    env: { ...menus.sandbox.environment },
  }),
};

describe.each(Object.entries(TARGETS))('over %s', (_name, target) => {
  describe.each(Object.entries(CLIENTS))('%s', (name, connect) => {
    let client: AnyClient;
    beforeAll(async () => {
      client = await connect(target());
    });
    afterAll(() => client[Symbol.asyncDispose]());

    test('speaks the newest version that it knows', () => {
      expect(client.protocolVersion).toBe(name.endsWith('2026-07-28') ? '2026-07-28' : '2025-11-25');
    });

    test('lists both tools as they are defined', async () => {
      const { tools } = await client.listTools();
      expect(tools).toMatchObject(
        MENU_TOOLS.map((tool) => ({
          name: tool.name,
          title: tool.title,
          description: tool.description,
          annotations: {
            readOnlyHint: true,
            idempotentHint: true,
            destructiveHint: false,
            openWorldHint: true,
          },
          inputSchema: listed(z.toJSONSchema(tool.inputSchema, { io: 'input' })),
          outputSchema: listed(z.toJSONSchema(tool.outputSchema)),
        })),
      );
    });

    test('lists schemas of the members that every client and every grammar knows', async () => {
      const { tools } = await client.listTools();
      for (const { name: tool, inputSchema, outputSchema } of tools) {
        for (const schema of [inputSchema, outputSchema]) {
          const members = [...membersOf(schema)];
          expect(members.length, tool).toBeGreaterThan(2);
          expect(
            members.filter((member) => !PLAIN_MEMBERS.has(member)),
            tool,
          ).toEqual([]);
        }
      }
    });

    test('searches, then reads the menus of a result', async () => {
      const found = await client.callTool({ name: 'search_restaurants', arguments: { query: '강남' } });
      const { restaurants } = found.structuredContent as {
        restaurants: { vendor: string; id: string; name: string }[];
      };
      expect(restaurants).toHaveLength(10);
      const [first] = restaurants;
      const read = await client.callTool({
        name: 'get_restaurant_menu',
        arguments: { vendor: first?.vendor, restaurantId: first?.id, date: TODAY },
      });
      expect(read.isError).toBeUndefined();
      expect(read.structuredContent).toMatchObject({ restaurant: first, date: TODAY, allergens: 'unknown' });
      const { periods } = read.structuredContent as {
        periods: { label: string; menus: { name: string; dishes?: string[] }[] }[];
      };
      const planned = menus.sandbox.plan(first?.vendor as 'welstory', first?.id ?? '', TODAY);
      expect(periods.map(({ label }) => label).sort()).toEqual(planned.map(({ meal }) => meal.label).sort());
      for (const { meal, courses } of planned) {
        const period = periods.find(({ label }) => label === meal.label);
        expect(period?.menus.length).toBeGreaterThanOrEqual(courses.length);
      }
      for (const result of [found, read]) {
        const [text] = result.content as [{ type: string; text: string }];
        for (const { name } of restaurants.slice(0, result === found ? 10 : 1))
          expect(text.text).toContain(name);
        expect(text.text).toContain('Untrusted content');
      }
      const lines = (read.content as [{ text: string }])[0].text.split('\n');
      for (const { menus: served } of periods) {
        for (const { name, dishes = [] } of served) {
          const line = lines.find(
            (each) => each.includes(name) && dishes.every((dish) => each.includes(dish)),
          );
          expect(line, name).toBeDefined();
        }
      }
    });

    test('learns what to send after wrong arguments, and that a restaurant or date is unknown', async () => {
      const text = async (name: string, args: Record<string, unknown>) => {
        const result = await client.callTool({ name, arguments: args });
        expect(result).toMatchObject({ isError: true });
        return (result.content as { text: string }[])[0]?.text;
      };
      const menu = { vendor: 'welstory', restaurantId: 'REST000007', date: 'today' };
      expect(await text('search_restaurants', {})).toContain('Send query');
      expect(await text('search_restaurants', { query: 'x', limit: 21 })).toContain('Send limit');
      expect(await text('get_restaurant_menu', { ...menu, vendor: 'other' })).toContain('Send vendor');
      expect(await text('get_restaurant_menu', { ...menu, date: 'someday' })).toContain('Send date');
      expect(await text('get_restaurant_menu', { ...menu, meal: 'brunch' })).toContain(
        'Send meal as breakfast',
      );
      expect(await text('get_restaurant_menu', { ...menu, sort: 'price' })).toContain(
        'Send sort as calories',
      );
      expect(await text('get_restaurant_menu', { ...menu, view: 'all' })).toContain('Send view as gallery');
      expect(await text('get_restaurant_menu', { ...menu, date: '20260231' })).toContain(
        'No calendar has this date',
      );
      expect(await text('get_restaurant_menu', { ...menu, restaurantId: 'x' })).toContain(
        'Call search_restaurants',
      );
    });

    test('gets a protocol error for a tool that does not exist', async () => {
      await expect(client.callTool({ name: 'order_lunch', arguments: {} })).rejects.toMatchObject({
        code: -32_602,
      });
    });

    test('reads a day as a resource, and completes its variables', async () => {
      const { resourceTemplates } = await client.listResourceTemplates();
      expect(resourceTemplates).toMatchObject([{ uriTemplate: 'menu://{vendor}/{id}/{date}' }]);
      const { contents } = await client.readResource({ uri: `menu://welstory/REST000007/${TODAY}` });
      const [content] = contents as [{ mimeType: string; text: string }];
      expect(content.mimeType).toBe('application/json');
      expect(JSON.parse(content.text)).toMatchObject({ restaurant: { id: 'REST000007' }, date: TODAY });
      for (const uri of ['menu://welstory/none/today', 'menu://welstory/REST000007/20260231'])
        await expect(client.readResource({ uri })).rejects.toThrow('Resource not found');
      const complete = async (variable: string, value: string, context: object = {}) =>
        (
          await client.complete({
            ref: { type: 'ref/resource', uri: 'menu://{vendor}/{id}/{date}' },
            argument: { name: variable, value },
            context,
          })
        ).completion.values;
      expect(await complete('vendor', 's')).toEqual(['shinsegae']);
      expect(await complete('date', 'to')).toEqual(['today', 'tomorrow']);
      expect(await complete('date', 'fri')).toEqual(['friday']);
      const ids = await complete('id', 'R5');
      expect(ids).toContain('REST000007');
      const known = { arguments: { vendor: 'shinsegae' } };
      expect(await complete('id', 'R5', known)).toEqual(ids.filter((id) => !id.startsWith('REST')));
    });

    test('gets the prompt with its place', async () => {
      expect((await client.listPrompts()).prompts.map((prompt) => prompt.name)).toEqual(['what_can_i_eat']);
      const { completion } = await client.complete({
        ref: { type: 'ref/prompt', name: 'what_can_i_eat' },
        argument: { name: 'place', value: 'R5' },
      });
      expect(completion.values).toContain('R5 1식당');
      const { messages } = await client.getPrompt({ name: 'what_can_i_eat', arguments: { place: '강남' } });
      expect(JSON.stringify(messages)).toContain(String.raw`near \"강남\" today`);
    });
  });
});
