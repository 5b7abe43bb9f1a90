import { MENU_TOOLS } from 'menu-mcp';
import { AGENT_SKILLS, skillPath } from './agent-skills.ts';
import type { SiteIdentity } from './identity.ts';
import { SERVER_CARD_TYPE } from './server-card.ts';

const QUERIES = [
  'What is for lunch at the company cafeteria in Gangnam today?',
  '수원 R5 구내식당 오늘 점심 메뉴 알려 줘',
  'Which lunch at R5 has the least calories?',
];

/**
 * What agents can use here, by Agentic Resource Discovery: `/.well-known/ard.json`, and the same at its former address.
 *
 * @see https://agenticresourcediscovery.org/spec/
 */
export function resourceCatalog(origin: string, { authority, mcp }: SiteIdentity): object {
  return {
    specVersion: '1.0',
    host: { displayName: mcp.title, documentationUrl: `${origin}/llms.txt` },
    entries: [
      {
        identifier: `urn:air:${authority}:mcp:cafeteria-menus`,
        displayName: mcp.title,
        type: SERVER_CARD_TYPE,
        url: `${origin}/mcp/server-card`,
        description:
          'Find staff cafeterias in South Korea and read their menus of a day. Read-only, no account.',
        version: mcp.version,
        capabilities: MENU_TOOLS.map(({ name }) => name),
        representativeQueries: QUERIES,
      },
      ...AGENT_SKILLS.map((skill) => ({
        identifier: `urn:air:${authority}:skills:${skill.name}`,
        displayName: skill.name,
        type: 'text/markdown; profile="urn:air:agent-skills"',
        url: origin + skillPath(skill),
        description: skill.description,
        version: mcp.version,
        representativeQueries: QUERIES,
      })),
    ],
  };
}
