import { MENU_TOOLS, UI_EXTENSION } from 'menu-mcp';
import { PROTOCOL_VERSIONS } from 'menu-mcp/server';
import { z } from 'zod';
import type { SiteIdentity } from './identity.ts';

const DESCRIPTION =
  'Find staff cafeterias in South Korea and read their menus of a day. Read-only, no account.';

/** The members that a server card and an entry of a registry share. */
function described(origin: string, { mcp, sourceUrl }: SiteIdentity) {
  const host = sourceUrl === undefined ? '' : new URL(sourceUrl).hostname;
  return {
    ...mcp,
    description: DESCRIPTION,
    websiteUrl: origin,
    ...(sourceUrl === undefined
      ? {}
      : {
          repository: {
            url: sourceUrl,
            source: host.replace(/\.(com|org)$/, ''),
            subfolder: 'apps/cafeteria-web',
          },
        }),
  };
}

/** Media type of `/mcp/server-card`. */
export const SERVER_CARD_TYPE = 'application/mcp-server-card+json';

/** One document for both shapes in use: the registry's (name, remotes) and the well-known one (serverInfo, transport). */
export function serverCard(origin: string, identity: SiteIdentity): object {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    ...described(origin, identity),
    remotes: [
      { type: 'streamable-http', url: `${origin}/mcp`, supportedProtocolVersions: [...PROTOCOL_VERSIONS] },
    ],
    protocolVersion: PROTOCOL_VERSIONS[0],
    serverInfo: identity.mcp,
    transport: { type: 'streamable-http', endpoint: '/mcp' },
    authentication: { required: false },
    capabilities: {
      completions: {},
      tools: { listChanged: false },
      resources: { listChanged: false, subscribe: false },
      prompts: { listChanged: false },
      extensions: UI_EXTENSION,
    },
    tools: MENU_TOOLS.map((tool) => ({
      name: tool.name,
      title: tool.title,
      description: tool.description,
      inputSchema: z.toJSONSchema(tool.inputSchema, { io: 'input' }),
    })),
  };
}

const SECRET = { format: 'string', isSecret: true } as const;

/**
 * `server.json` for a registry of MCP servers: this site as a remote server, and menu-mcp as a command.
 *
 * @see https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json
 */
export function registryEntry(origin: string, identity: SiteIdentity): object {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    ...described(origin, identity),
    remotes: [{ type: 'streamable-http', url: `${origin}/mcp` }],
    packages: [
      {
        registryType: 'npm',
        identifier: 'menu-mcp',
        version: identity.mcp.version,
        runtimeHint: 'npx',
        transport: { type: 'stdio' },
        environmentVariables: [
          {
            name: 'WELSTORY_USERNAME',
            description: 'Account of Samsung Welstory; Shinsegae Food needs none',
          },
          { name: 'WELSTORY_PASSWORD', description: 'Password of that account', ...SECRET },
          {
            name: 'STORE_URL',
            description: 'Cache of menus: memory:, sqlite:<file> or postgres://...',
            default: 'memory:',
          },
        ],
      },
    ],
  };
}
