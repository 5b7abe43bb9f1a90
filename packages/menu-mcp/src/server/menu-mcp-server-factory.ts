import { McpServer } from '@modelcontextprotocol/server';
import type { MenuService } from 'menu-client';
import { type CardOptions, registerMenuCard, UI_EXTENSION } from '../card/day-card.ts';
import { type BindOptions, bindTools } from '../tools/bind-tools.ts';
import { DEFAULT_IDENTITY, INSTRUCTIONS, PROTOCOL_VERSIONS, type ServerIdentity } from './identity.ts';
import { registerMenuPrompts, registerMenuResources } from './register.ts';
import { servedSchema } from './served-schema.ts';

/** What the servers of a factory offer, and how they introduce themselves. */
export interface MenuMcpServerOptions extends Omit<BindOptions, 'withCard'>, CardOptions {
  /** @default menu-mcp with the version of this package */
  readonly identity?: ServerIdentity;
}

/** The lists never change while the program runs, so clients may cache them for an hour. */
const LISTS = { ttlMs: 3_600_000, cacheScope: 'public' } as const;

/**
 * A factory of 2.x servers with the tools, the resources and the prompt, for `serveStdio` and `createMcpHandler` of the
 * official SDK. What the servers can share is created once, here.
 * @throws MenuError `invalid_argument`
 */
export function menuMcpServerFactory(
  service: MenuService,
  options: MenuMcpServerOptions = {},
): () => McpServer {
  const { identity = DEFAULT_IDENTITY } = options;
  const tools = bindTools(service, { ...options, withCard: true }).map(({ name, call, ...config }) => ({
    name,
    call,
    config: {
      ...config,
      inputSchema: servedSchema(config.inputSchema),
      outputSchema: servedSchema(config.outputSchema),
    },
  }));
  return () => {
    const server = new McpServer(
      { ...identity },
      {
        supportedProtocolVersions: [...PROTOCOL_VERSIONS],
        instructions: INSTRUCTIONS,
        capabilities: {
          tools: { listChanged: false },
          resources: { listChanged: false, subscribe: false },
          prompts: { listChanged: false },
          extensions: UI_EXTENSION,
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
    for (const { name, config, call } of tools)
      server.registerTool(name, config, (input) => call(input as Record<string, unknown>));
    registerMenuResources(server, service, options);
    registerMenuCard(server, options);
    registerMenuPrompts(server, service);
    return server;
  };
}
