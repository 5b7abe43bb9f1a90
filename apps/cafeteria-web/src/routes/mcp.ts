import type { Hono } from 'hono';
import type { MenuMcpHandler } from 'menu-mcp';

/** `/mcp`: the endpoint answers every method itself, errors included, in its own protocol. */
export function mountMcp(app: Hono, mcp: MenuMcpHandler): void {
  app.all('/mcp', (c) => mcp.fetch(c.req.raw));
}
