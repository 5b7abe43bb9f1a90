import { createHash } from 'node:crypto';
import { ServerResponse } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { cors } from 'hono/cors';
import {
  asyncApiOf,
  type DescribedImplementation,
  type JsonObject,
  matchesEtag,
  openApiOf,
} from 'rostack-core';
import type { GatewayConfig } from '../../config/model/gateway-config.ts';

/** How long clients may keep a description without asking again. */
const MAX_AGE_S = 300;

const OPENAPI_TYPE = 'application/vnd.oai.openapi+json;version=3.1';
const ASYNCAPI_TYPE = 'application/vnd.aai.asyncapi+json;version=3.0.0';

export interface DescriptionPlaces extends Pick<GatewayConfig, 'descriptions' | 'browsers'> {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly strippedPathPrefix: string;
}

/**
 * OpenAPI and AsyncAPI of the implementation, and links to them on the discovery document and the documentation. None if discovery is not
 * public, because they reveal the same information.
 * @see RFC 8631, service-desc
 */
export function descriptionRoutes(implementation: DescribedImplementation, places: DescriptionPlaces): Hono {
  const { discovery, schemas } = implementation;
  const app = new Hono();
  if (discovery.authentication.discovery_public === false) return app;
  const { openApiPath, asyncApiPath } = places.descriptions;
  const served = [
    { path: openApiPath, type: OPENAPI_TYPE, describe: () => openApiOf(discovery, schemas) },
    { path: asyncApiPath, type: ASYNCAPI_TYPE, describe: () => asyncApiOf(discovery, schemas) },
  ].filter(({ path }) => path !== 'off');
  if (served.length === 0) return app;
  const links = served
    .map(({ path, type }) => `<${places.baseUrl}${path}>; rel="service-desc"; type="${type}"`)
    .join(', ');
  const { documentation_url: documentationUrl } = discovery.implementation;
  const linked = [
    discovery.endpoints.discovery,
    ...(documentationUrl === undefined ? [] : [documentationUrl]),
  ];
  for (const path of new Set(linked.map((url) => localPath(url, places)))) {
    if (path === undefined) continue;
    app.use(path, async (c, next) => {
      await next();
      if (!c.res.ok && c.res.status !== 304) return;
      // Setting the field on the response itself would copy the response, which costs more than the rest of the answer.
      const { outgoing } = (c.env ?? {}) as Partial<HttpBindings>;
      if (outgoing instanceof ServerResponse) outgoing.appendHeader('Link', links);
      else c.header('Link', links, { append: true });
    });
  }
  const allowOrigin = places.browsers.corsOrigins;
  for (const { path, type, describe } of served) {
    const local = localPath(`${places.baseUrl}${path}`, places);
    if (local === undefined) continue;
    const body = lazy(() => readyBody(describe()));
    app.use(local, cors({ origin: allowOrigin === '*' ? '*' : [...allowOrigin], exposeHeaders: ['ETag'] }));
    app.get(local, (c) => {
      const { text, etag } = body();
      const headers = { ETag: etag, 'Cache-Control': `public, max-age=${MAX_AGE_S}` };
      const condition = c.req.header('if-none-match');
      if (condition !== undefined && matchesEtag(condition, etag)) return c.body(null, 304, headers);
      return c.body(text, 200, { ...headers, 'Content-Type': type });
    });
  }
  return app;
}

/** The local path of requests for a URL; undefined if it is on another host, or outside the prefix that the proxy strips. */
function localPath(url: string, { baseUrl, strippedPathPrefix }: DescriptionPlaces): string | undefined {
  const { origin, pathname } = new URL(url);
  if (origin !== new URL(baseUrl).origin || !pathname.startsWith(strippedPathPrefix)) return undefined;
  return pathname.slice(strippedPathPrefix.length) || '/';
}

function readyBody(document: JsonObject): { readonly text: string; readonly etag: string } {
  const text = JSON.stringify(document);
  return { text, etag: `"${createHash('sha256').update(text).digest('base64url')}"` };
}

/** Made on the first request, since most gateways are never asked for a description. */
function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
