/** The office assistant on `@modelcontextprotocol/server`, 2.x. */
import { once } from 'node:events';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createMenuService, openOperators } from 'menu-client';
import { registerMenuTools } from 'menu-mcp';
import { config, splitBill } from './split-bill.ts';

const service = createMenuService({ operators: openOperators(process.env) });
const connection = serveStdio(() => {
  const server = new McpServer({ name: 'office-assistant', version: '1.0.0' });
  server.registerTool('split_bill', config, splitBill);
  registerMenuTools(server, service);
  return server;
});

await once(process.stdin, 'close');
await connection.close();
await service[Symbol.asyncDispose]();
