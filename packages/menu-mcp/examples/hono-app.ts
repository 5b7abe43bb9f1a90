/**
 * Somebody else's web app, with an MCP endpoint for the menus next to its own routes.
 * `createApp` is given the service, so the caller opens and closes it.
 */
import { Hono } from 'hono';
import type { MenuService } from 'menu-client';
import { createMenuMcpHandler } from 'menu-mcp/server';

export function createApp(service: MenuService): Hono {
  const mcp = createMenuMcpHandler(service, {
    identity: { name: 'company-intranet', version: '3.1.0' },
    pageUrl: ({ vendor, id }, date = 'today') =>
      `https://intranet.example.com/lunch/${vendor}/${encodeURIComponent(id)}/${date}`,
  });
  return new Hono()
    .get('/', (c) => c.text('Welcome to the intranet.'))
    .all('/mcp', (c) => mcp.fetch(c.req.raw));
}
