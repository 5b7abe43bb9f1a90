/** The office assistant on `@modelcontextprotocol/sdk`, 1.x. */
import { once } from 'node:events';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createMenuService, openOperators } from 'menu-client';
import { registerMenuTools } from 'menu-mcp';
import { config, splitBill } from './split-bill.ts';

const service = createMenuService({ operators: openOperators(process.env) });
const server = new McpServer({ name: 'office-assistant', version: '1.0.0' });
server.registerTool('split_bill', config, splitBill);
registerMenuTools(server, service);
await server.connect(new StdioServerTransport());

await once(process.stdin, 'close');
await server.close();
await service[Symbol.asyncDispose]();
