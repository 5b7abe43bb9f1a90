import { hash } from 'node:crypto';
import { matchesEtag } from 'rostack-core';
import type { Access } from './access.ts';
import type { RostackAppOptions } from './app-options.ts';
import type { Cursors } from './cursors.ts';
import type { Exchange, Reply } from './exchange.ts';
import { ItemHandler } from './item-handler.ts';
import { ItemMatcher } from './item-matcher.ts';
import { ListHandler } from './list-handler.ts';
import type { PageCache } from './page-cache.ts';
import { parseQueryString } from './query-string.ts';
import type { RouteTable } from './route-table.ts';
import { type ServedResource, serveResource } from './served-resource.ts';

export interface RouteDependencies {
  readonly access: Access;
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
  for (const descriptor of discovery.resources) {
    const served = serveResource(descriptor, options, dependencies.faults);
    attempt(() => addCollection(routes, served, dependencies));
    attempt(() => addItems(routes, served, dependencies));
  }
}

function addDiscovery(routes: RouteTable, options: RostackAppOptions, access: Access): void {
  const { discovery } = options.implementation;
  const { discoveryMaxAgeSeconds = 60 } = options;
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

function addSchemas(
  routes: RouteTable,
  { implementation, schemaMaxAgeSeconds = 3_600 }: RostackAppOptions,
): void {
  for (const [url, schema] of implementation.schemas) {
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

function addCollection(
  routes: RouteTable,
  served: ServedResource,
  { access, cursors, pageCache, sourceTimeoutMs }: RouteDependencies,
): void {
  const handler = new ListHandler(served, { cursors, pageCache, sourceTimeoutMs });
  routes.addCollection(served.descriptor.collection_url, {
    operation: 'list',
    resource: served.descriptor.name,
    isPublic: false,
    answer: async (exchange) => handler.answer(exchange, await access.authorizeRead(exchange, served)),
  });
}

function addItems(
  routes: RouteTable,
  served: ServedResource,
  { access, sourceTimeoutMs }: RouteDependencies,
): void {
  const matcher = new ItemMatcher(served.descriptor.item_url_template);
  const handler = new ItemHandler(served, matcher.idParameter, sourceTimeoutMs);
  routes.addItems(matcher, {
    operation: 'get',
    resource: served.descriptor.name,
    isPublic: false,
    async answer(exchange, id) {
      await access.authorizeRead(exchange, served);
      return handler.answer(exchange, id);
    },
  });
}

function answerDocument(exchange: Exchange, document: StaticDocument): Reply {
  parseQueryString(exchange.search, []);
  return document.answer(exchange);
}

/** A document that stays the same as long as the app lives: its bytes and header fields are made once. */
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
