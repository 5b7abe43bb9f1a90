/**
 * Somebody else's server over stdio, with a tool of its own and the menu tools.
 * Set `PLANEAT_BASE_URL` to use a sandbox. Without it the real operator is read, which needs no account.
 */
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createMenuService, openOperators } from 'menu-client';
import { registerMenuTools } from 'menu-mcp';
import { z } from 'zod';

const service = createMenuService({ operators: openOperators(process.env) });

const connection = serveStdio(() => {
  const server = new McpServer({ name: 'office-assistant', version: '1.0.0' });
  server.registerTool(
    'split_bill',
    {
      description: 'Split a lunch bill evenly.',
      inputSchema: z.object({ totalWon: z.int().positive(), people: z.int().positive() }),
    },
    ({ totalWon, people }) => ({
      content: [{ type: 'text', text: `${Math.ceil(totalWon / people).toLocaleString('ko-KR')}원` }],
    }),
  );
  registerMenuTools(server, service);
  return server;
});

process.stdin.once('close', () => {
  void connection.close().then(() => service[Symbol.asyncDispose]());
});
