import { Hono } from 'hono';
import type { DiscoveryDocument } from 'rostack-core';
import { renderDocumentationPage } from './documentation-page.tsx';

const CONTENT_SECURITY_POLICY =
  "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Serves the page at the path of `documentation_url`: what the discovery document says, for people. */
export function createDocumentationApp(discovery: DiscoveryDocument): Hono {
  const page = renderDocumentationPage(discovery);
  const app = new Hono();
  app.get(new URL(discovery.implementation.documentation_url).pathname, (c) =>
    c.html(page, 200, {
      'Content-Security-Policy': CONTENT_SECURITY_POLICY,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'public, max-age=60',
    }),
  );
  return app;
}
