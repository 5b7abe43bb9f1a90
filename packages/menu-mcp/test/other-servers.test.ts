import { InMemoryTransport as FirstTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer as FirstServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  McpServer as SecondServer,
  InMemoryTransport as SecondTransport,
} from '@modelcontextprotocol/server';
import { registerMenuTools } from 'menu-mcp';
import * as ofFirst from 'menu-mcp/sdk';
import * as ofSecond from 'menu-mcp/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { CLIENTS } from './support/clients.ts';
import { listen } from './support/listen.ts';
import { type Menus, NOON_MS, openMenus } from './support/menus.ts';

const INFO = { name: 'somebody-else', version: '9.0.0' };
const resources = new AsyncDisposableStack();
let menus: Menus;
beforeAll(async () => {
  menus = resources.use(await openMenus());
});
afterAll(() => resources.disposeAsync());

/** A server of each SDK, with a tool of its own and connected to a client of the same SDK. */
const SERVERS = {
  'SDK 1.x': async () => {
    const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
    const server = new FirstServer(INFO);
    server.registerTool('own_tool', { inputSchema: { text: z.string() } }, ({ text }) => ({
      content: [{ type: 'text', text }],
    }));
    addMenus(server, ofFirst);
    const [near, far] = FirstTransport.createLinkedPair();
    const client = new Client(INFO);
    await Promise.all([server.connect(far), client.connect(near)]);
    return { client, close: () => client.close() };
  },
  'SDK 2.x': async () => {
    const { Client } = await import('@modelcontextprotocol/client');
    const server = new SecondServer(INFO);
    server.registerTool('own_tool', { inputSchema: z.object({ text: z.string() }) }, ({ text }) => ({
      content: [{ type: 'text', text }],
    }));
    addMenus(server, ofSecond);
    const [near, far] = SecondTransport.createLinkedPair();
    const client = new Client(INFO);
    await Promise.all([server.connect(far), client.connect(near)]);
    return { client, close: () => client.close() };
  },
};

function addMenus(
  server: FirstServer | SecondServer,
  { registerMenuPrompts, registerMenuResources }: Pick<typeof ofFirst, keyof typeof ofFirst>,
): void {
  const options = { clock: () => NOON_MS };
  registerMenuTools(server, menus.service, options);
  registerMenuResources(server, menus.service, options);
  registerMenuPrompts(server);
}

describe.each(Object.entries(SERVERS))('a server of %s', (_name, connect) => {
  test('keeps its own tool and carries the menu tools, resources and prompt', async () => {
    const { client, close } = await connect();
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
      'own_tool',
      'search_restaurants',
      'get_restaurant_menu',
      'search_dishes',
      'compare_menus',
    ]);
    expect(await client.callTool({ name: 'own_tool', arguments: { text: 'hello' } })).toMatchObject({
      content: [{ text: 'hello' }],
    });
    expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(1);
    const read = await client.readResource({ uri: 'menu://welstory/REST000007/today' });
    expect(JSON.stringify(read)).toContain('2026-11-18');
    await expect(client.readResource({ uri: 'menu://welstory/none/today' })).rejects.toThrow(
      'Resource not found',
    );
    const prompt = await client.getPrompt({ name: 'what_can_i_eat', arguments: { place: '판교' } });
    expect(JSON.stringify(prompt)).toContain('판교');
    await close();
  });

  test('answers as this package’s own endpoint does', async () => {
    await using handler = ofSecond.createMenuMcpHandler(menus.service, { clock: () => NOON_MS });
    await using endpoint = await listen(handler.fetch);
    await using own = await CLIENTS['SDK 1.x']({ url: endpoint.url });
    const { client, close } = await connect();
    const calls = [
      { name: 'search_restaurants', arguments: { query: 'R5', limit: 3 } },
      { name: 'search_restaurants', arguments: { query: '없는 곳' } },
      {
        name: 'get_restaurant_menu',
        arguments: { vendor: 'shinsegae', restaurantId: 'CAF81', date: 'tomorrow' },
      },
      { name: 'get_restaurant_menu', arguments: { vendor: 'shinsegae', restaurantId: 'x', date: 'today' } },
    ];
    for (const call of calls) {
      const { content, structuredContent, isError } = await client.callTool(call);
      const there = await own.callTool(call);
      expect({ content, structuredContent, isError }).toEqual({
        content: there.content,
        structuredContent: there.structuredContent,
        isError: there.isError,
      });
    }
    await close();
  });

  test('tells what to send after wrong arguments', async () => {
    const { client, close } = await connect();
    const result = await client.callTool({ name: 'search_restaurants', arguments: { query: '' } });
    expect(result).toMatchObject({ isError: true });
    expect(JSON.stringify(result.content)).toContain('Send query: 1 to 100 characters');
    await close();
  });
});
