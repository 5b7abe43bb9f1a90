import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';

export interface Listener {
  readonly url: URL;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Serves a fetch handler on a free loopback port. */
export async function listen(fetch: (request: Request) => Promise<Response> | Response): Promise<Listener> {
  const server = createAdaptorServer({ fetch, overrideGlobalObjects: false }) as Server;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
