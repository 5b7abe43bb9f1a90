import { readFileSync } from 'node:fs';
import type { ServerIdentity } from 'menu-mcp/server';

const { version: packageVersion } = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
) as { version: string };

/** Version of this application, as its package says. */
export const version: string = packageVersion;

/** How programs elsewhere name the site; it does not depend on the address of a request. */
export interface SiteIdentity {
  /** The domain that everything is named under, such as `menu.example.org`. */
  readonly authority: string;
  /** Where the source code is; absent when it is not public. */
  readonly sourceUrl?: string;
  /** How the MCP endpoint introduces itself; its server card says the same. */
  readonly mcp: ServerIdentity & { readonly title: string };
}

/** @param publicUrl as configured; absent on a loopback address */
export function siteIdentity({
  publicUrl,
  authority = publicUrl === undefined ? 'localhost' : new URL(publicUrl).hostname,
  sourceUrl,
}: {
  readonly publicUrl?: string;
  readonly authority?: string;
  readonly sourceUrl?: string;
}): SiteIdentity {
  const namespace = authority.split('.').toReversed().join('.');
  return {
    authority,
    ...(sourceUrl === undefined ? {} : { sourceUrl }),
    mcp: { name: `${namespace}/cafeteria-menus`, title: 'Korean staff cafeteria menus', version },
  };
}
