import { McpServer } from '@modelcontextprotocol/server';
import type { MenuService } from 'menu-client';
import { registerMenuPrompts } from '../register/register-menu-prompts.ts';
import { registerMenuResources } from '../register/register-menu-resources.ts';
import { type RegisterOptions, registerMenuTools } from '../register/register-menu-tools.ts';
import { DEFAULT_IDENTITY, INSTRUCTIONS, type ServerIdentity } from './identity.ts';

export interface MenuMcpServerOptions extends RegisterOptions {
  /** @default menu-mcp with the version of this package */
  readonly identity?: ServerIdentity;
}

/** Lists never change while the program runs, so a client may keep them for an hour. */
const LISTS = { ttlMs: 3_600_000, cacheScope: 'public' } as const;

/** A 2.x server with the tools, the resources and the prompt; it serves one connection, or one request over HTTP. */
export function createMenuMcpServer(service: MenuService, options: MenuMcpServerOptions = {}): McpServer {
  const { identity = DEFAULT_IDENTITY } = options;
  const server = new McpServer(
    { ...identity },
    {
      instructions: INSTRUCTIONS,
      capabilities: {
        tools: { listChanged: false },
        resources: { listChanged: false, subscribe: false },
        prompts: { listChanged: false },
      },
      cacheHints: {
        'tools/list': LISTS,
        'prompts/list': LISTS,
        'resources/list': LISTS,
        'resources/templates/list': LISTS,
        'server/discover': LISTS,
      },
    },
  );
  registerMenuTools(server, service, options);
  registerMenuResources(server, service, options);
  registerMenuPrompts(server);
  return server;
}
