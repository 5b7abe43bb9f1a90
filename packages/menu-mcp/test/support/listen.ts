import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { vi } from 'vitest';

export interface Listener {
  readonly url: URL;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Serves a fetch handler on a free loopback port. When it is closed, no request may wait for the handler's answer. */
export async function listen(handle: (request: Request) => Promise<Response> | Response): Promise<Listener> {
  let waiting = 0;
  const fetch = async (request: Request): Promise<Response> => {
    waiting += 1;
    try {
      return await handle(request);
    } finally {
      waiting -= 1;
    }
  };
  const server = createAdaptorServer({ fetch, overrideGlobalObjects: false }) as Server;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`),
    async [Symbol.asyncDispose]() {
      await vi.waitFor(() => {
        if (waiting > 0) throw new Error(`${waiting} requests were never answered`);
      });
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
