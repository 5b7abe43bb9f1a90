import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { startSandbox } from 'menu-sandbox';

for (const generation of [1, 2])
  test(`the assistant on SDK ${generation}.x has its own tool and the menus`, async () => {
    await using sandbox = await startSandbox();
    const client = new Client({ name: 'test', version: '1.0.0' });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [`src/sdk-${generation}.ts`],
        env: sandbox.environment,
      }),
    );
    try {
      const { tools } = await client.listTools();
      const menuTools = ['search_restaurants', 'get_restaurant_menu', 'search_dishes', 'compare_menus'];
      assert.deepEqual(
        tools.map(({ name }) => name),
        ['split_bill', ...menuTools],
      );
      const bill = await client.callTool({ name: 'split_bill', arguments: { totalWon: 31_000, people: 3 } });
      assert.deepEqual(bill.content, [{ type: 'text', text: '10,334원' }]);
      const found = await client.callTool({
        name: 'search_restaurants',
        arguments: { query: '강남', limit: 1 },
      });
      const {
        restaurants: [restaurant],
      } = found.structuredContent as { restaurants: { vendor: string; id: string }[] };
      const menu = await client.callTool({
        name: 'get_restaurant_menu',
        arguments: { vendor: restaurant?.vendor, restaurantId: restaurant?.id },
      });
      assert(!menu.isError, JSON.stringify(menu.content));
    } finally {
      await client.close();
    }
  });
