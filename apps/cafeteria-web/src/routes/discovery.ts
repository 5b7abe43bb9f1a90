import type { Hono } from 'hono';
import { type MenuService, seoulToday } from 'menu-client';
import type { AnswerCache } from '../answers/answer-cache.ts';
import {
  BASE_HEADERS,
  CONTENT_SIGNAL,
  CONTENT_USAGE,
  DISCOVERY_LINKS,
  RETRY_LATER,
} from '../answers/http/headers.ts';
import type { Pages } from '../answers/http/pages.ts';
import type { OriginOf } from '../answers/link-origin.ts';
import { Rendering } from '../answers/rendering.ts';
import { askedBy, respond } from '../answers/respond.ts';
import { AGENT_SKILLS, skillFile, skillIndex, skillPath } from '../render/discovery/agent-skills.ts';
import type { SiteIdentity } from '../render/discovery/identity.ts';
import { openApiDocument } from '../render/discovery/openapi.ts';
import { resourceCatalog } from '../render/discovery/resource-catalog.ts';
import { registryEntry, SERVER_CARD_TYPE, serverCard } from '../render/discovery/server-card.ts';
import {
  API_CATALOG_TYPE,
  apiCatalog,
  llmsTxt,
  robotsTxt,
  sitemap,
} from '../render/discovery/site-guides.ts';
import { DESCRIBED_ROUTES } from './described-routes.ts';

const JSON_TYPE = 'application/json';
const TEXT_TYPE = 'text/plain; charset=utf-8';
const MARKDOWN_TYPE = 'text/markdown; charset=utf-8';

interface Parts {
  readonly service: MenuService;
  readonly pages: Pages;
  readonly answers: AnswerCache;
  readonly originOf: OriginOf;
  readonly identity: SiteIdentity;
  readonly sampleData: boolean;
  readonly nowMs: () => number;
}

/** What programs read to learn about the site. Every document depends on the origin alone. */
export function mountDiscovery(app: Hono, parts: Parts): void {
  const { service, pages, answers, originOf, identity, sampleData, nowMs } = parts;
  const card = (origin: string): string => JSON.stringify(serverCard(origin, identity));
  const catalog = (origin: string): string => JSON.stringify(resourceCatalog(origin, identity));
  const documents: Record<string, { readonly type: string; readonly render: (origin: string) => string }> = {
    '/llms.txt': { type: TEXT_TYPE, render: (origin) => llmsTxt(origin, sampleData) },
    '/robots.txt': { type: TEXT_TYPE, render: (origin) => robotsTxt(origin, CONTENT_SIGNAL) },
    '/openapi.json': {
      type: JSON_TYPE,
      render: (origin) => JSON.stringify(openApiDocument(origin, identity, DESCRIBED_ROUTES)),
    },
    '/.well-known/api-catalog': {
      type: API_CATALOG_TYPE,
      render: (origin) => JSON.stringify(apiCatalog(origin)),
    },
    '/.well-known/mcp/server-card.json': { type: JSON_TYPE, render: card },
    '/mcp/server-card': { type: SERVER_CARD_TYPE, render: card },
    '/server.json': { type: JSON_TYPE, render: (origin) => JSON.stringify(registryEntry(origin, identity)) },
    '/.well-known/ard.json': { type: JSON_TYPE, render: catalog },
    '/.well-known/ai-catalog.json': { type: JSON_TYPE, render: catalog },
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
      'Content-Usage': CONTENT_USAGE,
      Link: DISCOVERY_LINKS,
    };
    app.get(path, (c) => {
      const make = () => new Rendering(render(originOf(c.req.header('host'))), headers);
      return respond(c, answers.keep(askedBy(c), { target: path, route: path, version: '' }, make));
    });
  }

  app.get('/sitemap.xml', async (c) => {
    const { restaurants, incomplete } = await service.restaurants();
    if (incomplete.length > 0) return pages.sendError(c, 'catalogueUnread', RETRY_LATER);
    const xml = sitemap(originOf(c.req.header('host')), restaurants, seoulToday(nowMs()));
    const headers = {
      ...BASE_HEADERS,
      'Content-Type': 'application/xml',
      'Cache-Control': 'public, max-age=3600',
    };
    return respond(c, new Rendering(xml, headers));
  });
}
