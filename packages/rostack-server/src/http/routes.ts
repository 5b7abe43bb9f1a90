import { hash } from 'node:crypto';
import { matchesEtag, withDefaults } from 'rostack-core';
import { HTTP_NUMBERS, type RostackAppOptions } from './options/app-options.ts';
import { HttpProblem } from './problem/http-problem.ts';
import type { Exchange, Reply } from './request/exchange.ts';
import { UPGRADE_FIELDS } from './request/refusal.ts';
import { ItemMatcher, type RouteTable } from './request/route-table.ts';
import type { Access } from './resource/access.ts';
import { AudienceHandler } from './resource/audience-handler.ts';
import { ItemHandler } from './resource/item-handler.ts';
import { ListHandler } from './resource/list-handler.ts';
import { parseQueryString } from './resource/list-query.ts';
import type { Cursors } from './resource/page-cursor-seal.ts';
import type { PageCache } from './resource/ready-page.ts';
import { ServedResource } from './resource/served-resource.ts';

export interface RouteDependencies {
  readonly access: Access;
  /** Access for the audience of shared lists. */
  readonly audienceAccess: Access;
  readonly cursors: Cursors;
  readonly pageCache: PageCache | undefined;
  readonly sourceTimeoutMs: number;
  /** Filled with a sentence for each fault of the options. */
  readonly faults: string[];
}

/** Adds everything that an implementation serves. */
export function addRoutes(
  routes: RouteTable,
  options: RostackAppOptions,
  dependencies: RouteDependencies,
): void {
  const { discovery } = options.implementation;
  const attempt = (add: () => void): void => {
    try {
      add();
    } catch (error) {
      dependencies.faults.push(`${error instanceof Error ? error.message : String(error)}.`);
    }
  };
  attempt(() => addDiscovery(routes, options, dependencies.access));
  attempt(() => addSchemas(routes, options));
  attempt(() => addGateway(routes, discovery.endpoints.websocket));
  const { sharing } = options;
  const shared: ServedResource[] = [];
  for (const descriptor of discovery.resources) {
    const served = new ServedResource(descriptor, options, dependencies.sourceTimeoutMs, dependencies.faults);
    const isShared = sharing?.resources.includes(descriptor.name) === true;
    if (isShared) shared.push(served);
    attempt(() => routes.addUrl(descriptor.collection_url, new ListHandler(served, dependencies, isShared)));
    attempt(() => {
      const matcher = new ItemMatcher(descriptor.item_url_template);
      routes.addItems(matcher, new ItemHandler(served, matcher.idParameter, dependencies.access));
    });
  }
  if (sharing === undefined) return;
  const unknown = sharing.resources.filter((name) => shared.every((each) => each.descriptor.name !== name));
  dependencies.faults.push(...unknown.map((name) => `${name}, which is shared, is not a resource.`));
  const audienceUrl = new URL(sharing.audiencePath, discovery.endpoints.json_api);
  attempt(() => routes.addUrl(audienceUrl.href, new AudienceHandler(dependencies.audienceAccess, shared)));
}

function addDiscovery(routes: RouteTable, options: RostackAppOptions, access: Access): void {
  const { discovery } = options.implementation;
  const { discoveryMaxAgeSeconds } = withDefaults(HTTP_NUMBERS, options);
  const isPublic = discovery.authentication.discovery_public ?? true;
  const scope = isPublic ? 'public' : 'private';
  const document = new StaticDocument(
    discovery,
    'application/json',
    `${scope}, max-age=${discoveryMaxAgeSeconds}`,
  );
  routes.addDiscovery(discovery.endpoints.discovery, {
    operation: 'discovery',
    resource: undefined,
    isPublic,
    async answer(exchange) {
      if (!isPublic) await access.identify(exchange);
      return answerDocument(exchange, document);
    },
  });
}

/** Answers plain requests for the gateway's URL; upgrades do not arrive here (RFC 9110 section 15.5.22). */
function addGateway(routes: RouteTable, url: string): void {
  const headers = { ...UPGRADE_FIELDS, Connection: 'Upgrade, close' };
  routes.addUrl(url, {
    operation: 'upgrade',
    resource: undefined,
    isPublic: true,
    answer: async () => {
      throw HttpProblem.of('invalid-request', 'Open a WebSocket here.', headers);
    },
  });
}

function addSchemas(routes: RouteTable, options: RostackAppOptions): void {
  const { schemaMaxAgeSeconds } = withDefaults(HTTP_NUMBERS, options);
  for (const [url, schema] of options.implementation.schemas) {
    const document = new StaticDocument(
      schema,
      'application/schema+json',
      `public, max-age=${schemaMaxAgeSeconds}`,
    );
    routes.addUrl(url, {
      operation: 'schema',
      resource: undefined,
      isPublic: true,
      answer: async (exchange) => answerDocument(exchange, document),
    });
  }
}

function answerDocument(exchange: Exchange, document: StaticDocument): Reply {
  parseQueryString(exchange.search, []);
  return document.answer(exchange);
}

/** A document that does not change while the app runs: its bytes and header fields are computed once. */
class StaticDocument {
  readonly #body: Uint8Array<ArrayBuffer>;
  readonly #etag: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(value: unknown, mediaType: string, cacheControl: string) {
    this.#body = Buffer.from(JSON.stringify(value));
    this.#etag = `"${hash('sha256', this.#body, 'base64url')}"`;
    this.#headers = { 'Content-Type': mediaType, 'Cache-Control': cacheControl, ETag: this.#etag };
  }

  /** 200 with the document, or 304 when the client has it (RFC 9110 section 13.1.2). */
  answer(exchange: Exchange): Reply {
    const ifNoneMatch = exchange.c.req.header('if-none-match');
    if (ifNoneMatch !== undefined && matchesEtag(ifNoneMatch, this.#etag)) {
      const { 'Content-Type': _type, ...headers } = this.#headers;
      return { status: 304, headers, body: null };
    }
    return { status: 200, headers: this.#headers, body: this.#body };
  }
}
