import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import type { RostackMcp } from '../create-rostack-mcp.ts';

/** Answers only this computer: a foreign name that resolves to loopback, and foreign pages, are refused (DNS rebinding). */
export async function serveHttp(
  mcp: RostackMcp,
  port: number,
): Promise<AsyncDisposable & { readonly url: string }> {
  const hosts = new Set<string>();
  const server = createAdaptorServer({
    overrideGlobalObjects: false,
    fetch: (request: Request) => {
      const origin = request.headers.get('origin');
      const isOwn =
        hosts.has(request.headers.get('host') ?? '') &&
        (origin === null || hosts.has(URL.parse(origin)?.host ?? ''));
      if (!isOwn) return new Response('This host or origin may not call.', { status: 403 });
      if (new URL(request.url).pathname !== '/mcp') return new Response('MCP is at /mcp.', { status: 404 });
      return mcp.fetch(request);
    },
  }) as Server;
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const { port: bound } = server.address() as AddressInfo;
  hosts.add(`127.0.0.1:${bound}`).add(`localhost:${bound}`);
  return {
    url: `http://127.0.0.1:${bound}/mcp`,
    async [Symbol.asyncDispose]() {
      const isClosed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await isClosed;
    },
  };
}
