import { DISCOVERY_PATH } from '../wire/release/release.ts';
import type { ImplementationDeclaration } from './declaration/declaration.ts';

/** Every URL that an implementation derives from its base. */
export interface ImplementationUrls {
  readonly discovery: string;
  readonly jsonApi: string;
  readonly websocket: string;
  /** Without a slash at the end. */
  readonly schemas: string;
}

const withoutSlash = (url: string): string => (url.endsWith('/') ? url.slice(0, -1) : url);

export function implementationUrls(
  declaration: Pick<ImplementationDeclaration, 'baseUrl' | 'urls' | 'apiVersion'>,
): ImplementationUrls {
  const { urls = {}, apiVersion } = declaration;
  const base = withoutSlash(declaration.baseUrl);
  const [origin = base] = /^https:\/\/[^/?#]*/.exec(base) ?? [];
  return {
    discovery: urls.discovery ?? `${origin}${DISCOVERY_PATH}`,
    jsonApi: withoutSlash(urls.jsonApi ?? `${base}/api`),
    websocket: urls.websocket ?? `${base.replace(/^https:/, 'wss:')}/gateway`,
    schemas: withoutSlash(urls.schemas ?? `${base}/schemas/${encodeURIComponent(apiVersion)}`),
  };
}

export const schemaUrl = (urls: ImplementationUrls, name: string): string =>
  `${urls.schemas}/${name}.schema.json`;
