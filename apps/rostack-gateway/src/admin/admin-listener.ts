import { createServer, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import { createRateLimiter, type RateLimiter } from 'rostack-server';
import { ConnectionGuard, type ConnectionRules, serverOptions } from '../listener/connection-guard.ts';
import { bind } from '../listener/listener.ts';

const MAX_FAILURES = { points: 10, windowMs: 60_000 };

/** The listener for operators, bound. */
export interface AdminListener extends AsyncDisposable {
  readonly port: number;
  readonly connections: ConnectionGuard;
}

/** Counts failed attempts: 10 a minute for each address. */
export function failedAttempts(): RateLimiter {
  return createRateLimiter({ failuresPerAddress: MAX_FAILURES });
}

/**
 * Binds the listener and serves the app on it, over plain HTTP.
 * @throws PortInUseError `port_in_use`
 */
export async function listenForAdmin(
  address: { readonly host: string; readonly port: number; readonly connections: ConnectionRules },
  app: Hono,
): Promise<AdminListener> {
  // A stream of changes may be of any length and duration: only silence is limited.
  const server: Server = createServer(serverOptions(address.connections));
  const connections = new ConnectionGuard(server, address.connections, () => false);
  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  server.on('request', (request, response) => void answer(request, response));
  const port = await bind(server, address);
  return {
    port,
    connections,
    async [Symbol.asyncDispose]() {
      const isClosed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      connections.destroyAll();
      await isClosed;
    },
  };
}
