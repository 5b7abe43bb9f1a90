import { MENU_TOOLS } from 'menu-mcp';
import { z } from 'zod';
import { MCP_IDENTITY } from '../../mcp-identity.ts';

/** Versions of the protocol that the endpoint answers, newest first. */
export const MCP_VERSIONS = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

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
      { type: 'streamable-http', url: `${origin}/mcp`, supportedProtocolVersions: [...MCP_VERSIONS] },
    ],
    protocolVersion: MCP_VERSIONS[0],
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
