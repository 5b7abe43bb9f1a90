import type { DiscoveryDocument } from 'rostack-core';

/** Own scripts and styles only, no code from text, connections to the implementation's own endpoints alone. */
export function contentSecurityPolicy({ endpoints, implementation, resources }: DiscoveryDocument): string {
  const own = new URL(implementation.documentation_url).origin;
  const asked = [endpoints.discovery, endpoints.json_api, ...resources.map((one) => one.collection_url)];
  const elsewhere = new Set(asked.map((url) => new URL(url).origin).filter((origin) => origin !== own));
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    `connect-src ${["'self'", ...elsewhere, endpoints.websocket].join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}
