import type { ServerIdentity } from 'menu-mcp';
import { version } from './version.ts';

/** How the MCP endpoint introduces itself; its server card says the same. */
export const MCP_IDENTITY: ServerIdentity & { readonly title: string } = {
  name: 'io.github.rostack/cafeteria-menus',
  title: 'Korean staff cafeteria menus',
  version,
};
