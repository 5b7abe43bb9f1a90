import { readFileSync } from 'node:fs';
import type { ServerIdentity } from 'menu-mcp';

const { version: packageVersion } = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
) as { version: string };

/** Version of this application, as its package says. */
export const version: string = packageVersion;

/** How the MCP endpoint introduces itself; its server card says the same. */
export const MCP_IDENTITY: ServerIdentity & { readonly title: string } = {
  name: 'io.github.rostack/cafeteria-menus',
  title: 'Korean staff cafeteria menus',
  version,
};
