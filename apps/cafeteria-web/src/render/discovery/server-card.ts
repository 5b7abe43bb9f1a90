import { MENU_TOOLS, PROTOCOL_VERSIONS } from 'menu-mcp';
import { z } from 'zod';
import { MCP_IDENTITY } from './identity.ts';

/** One document for both shapes in use: the registry's (name, remotes) and the well-known one (serverInfo, transport). */
export function serverCard(origin: string): object {
  const { name, title, version } = MCP_IDENTITY;
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name,
    title,
    version,
    description: 'Find staff cafeterias in South Korea and read their menus of a day. Read-only, no account.',
    websiteUrl: origin,
    repository: {
      url: 'https://github.com/rostack/rostack',
      source: 'github',
      subfolder: 'apps/cafeteria-web',
    },
    remotes: [
      { type: 'streamable-http', url: `${origin}/mcp`, supportedProtocolVersions: [...PROTOCOL_VERSIONS] },
    ],
    protocolVersion: PROTOCOL_VERSIONS[0],
    serverInfo: { name, title, version },
    transport: { type: 'streamable-http', endpoint: '/mcp' },
    authentication: { required: false },
    capabilities: {
      completions: {},
      tools: { listChanged: false },
      resources: { listChanged: false, subscribe: false },
      prompts: { listChanged: false },
    },
    tools: MENU_TOOLS.map((tool) => ({
      name: tool.name,
      title: tool.title,
      description: tool.description,
      inputSchema: z.toJSONSchema(tool.inputSchema, { io: 'input' }),
    })),
  };
}
