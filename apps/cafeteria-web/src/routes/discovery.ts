import type { Hono } from 'hono';
import { seoulToday } from 'menu-client';
import { BASE_HEADERS, CONTENT_SIGNAL, DISCOVERY_LINKS } from '../http/headers.ts';
import { linkOrigin } from '../http/origin.ts';
import { NEVER_READ } from '../http/readings.ts';
import { documentKey } from '../http/ready-key.ts';
import { Rendering } from '../http/rendering.ts';
import { respond } from '../http/respond.ts';
import type { Site } from '../http/site.ts';
import { validFrom } from '../http/validity.ts';
import { AGENT_SKILLS, skillFile, skillIndex, skillPath } from '../render/discovery/agent-skills.ts';
import { API_CATALOG_TYPE, apiCatalog } from '../render/discovery/api-catalog.ts';
import { llmsTxt, robotsTxt } from '../render/discovery/llms-txt.ts';
import { openApiDocument } from '../render/discovery/openapi.ts';
import { serverCard } from '../render/discovery/server-card.ts';
import { sitemap } from '../render/discovery/sitemap.ts';

const JSON_TYPE = 'application/json';
const TEXT_TYPE = 'text/plain; charset=utf-8';
const MARKDOWN_TYPE = 'text/markdown; charset=utf-8';

/** What programs read to learn about the site. Every document depends on the origin alone. */
export function mountDiscovery(app: Hono, site: Site): void {
  const documents: Record<string, { readonly type: string; readonly render: (origin: string) => string }> = {
    '/llms.txt': { type: TEXT_TYPE, render: (origin) => llmsTxt(origin, site.sampleData) },
    '/robots.txt': { type: TEXT_TYPE, render: (origin) => robotsTxt(origin, CONTENT_SIGNAL) },
    '/openapi.json': { type: JSON_TYPE, render: (origin) => JSON.stringify(openApiDocument(origin)) },
    '/.well-known/api-catalog': {
      type: API_CATALOG_TYPE,
      render: (origin) => JSON.stringify(apiCatalog(origin)),
    },
    '/.well-known/mcp/server-card.json': {
      type: JSON_TYPE,
      render: (origin) => JSON.stringify(serverCard(origin)),
    },
    '/.well-known/agent-skills/index.json': {
      type: JSON_TYPE,
      render: (origin) => JSON.stringify(skillIndex(origin)),
    },
  };
  for (const skill of AGENT_SKILLS) {
    documents[skillPath(skill)] = { type: MARKDOWN_TYPE, render: (origin) => skillFile(skill, origin) };
  }
  for (const [path, { type, render }] of Object.entries(documents)) {
    const headers = {
      ...BASE_HEADERS,
      'Content-Type': type,
      'Cache-Control': 'public, max-age=3600',
      'Access-Control-Allow-Origin': '*',
      Link: DISCOVERY_LINKS,
    };
    app.get(path, (c) => {
      const origin = linkOrigin(site, c.req.header('host'));
      const make = () => new Rendering(render(origin), headers, '');
      const key = documentKey(site, c.req.header('host'), path);
      const validity = validFrom(site.nowMs(), NEVER_READ);
      return respond(c, site.renderings.get(key, '', path, validity, make));
    });
  }

  app.get('/sitemap.xml', async (c) => {
    const restaurants = await site.service.restaurants();
    const xml = sitemap(linkOrigin(site, c.req.header('host')), restaurants, seoulToday(site.nowMs()));
    const headers = {
      ...BASE_HEADERS,
      'Content-Type': 'application/xml',
      'Cache-Control': 'public, max-age=3600',
    };
    return respond(c, new Rendering(xml, headers, ''));
  });
}
