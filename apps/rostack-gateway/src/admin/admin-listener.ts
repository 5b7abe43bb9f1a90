import { createServer, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import { createRateLimiter, type RateLimiter } from 'rostack-server';
import type { Peers } from '../cluster/peers/peers.ts';
import {
  ConnectionGuard,
  type ConnectionRules,
  serverOptions,
} from '../serving/listener/connection-guard.ts';
import { bind } from '../serving/listener/listener.ts';

const MAX_FAILURES = { points: 10, windowMs: 60_000 };

/** The listener for operators, bound. */
export interface AdminListener extends AsyncDisposable {
  readonly port: number;
  readonly connections: ConnectionGuard;
  /** Closes idle connections, because another process answers new ones. */
  readonly retire: () => void;
}

/** Limits failed attempts to 10 a minute per address. */
export function failedAttempts(): RateLimiter {
  return createRateLimiter({ failuresPerAddress: MAX_FAILURES });
}

/**
 * Binds the listener and serves the app on it, over plain HTTP. A worker's is bound by its supervisor.
 * @throws PortInUseError `port_in_use`
 */
export async function listenForAdmin(
  address: { readonly host: string; readonly port: number; readonly connections: ConnectionRules },
  app: Hono,
  machine: Peers | undefined,
): Promise<AdminListener> {
  // A stream of changes may be of any length and last any time, so only silence is limited.
  const server: Server = createServer(serverOptions(address.connections));
  const connections = new ConnectionGuard(server, address.connections, () => false);
  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  server.on('request', (request, response) => void answer(request, response));
  const port = machine?.adminPort ?? (await bind(server, address));
  machine?.serve('admin', server);
  return {
    port,
    connections,
    retire: () => server.closeIdleConnections(),
    async [Symbol.asyncDispose]() {
      const isClosed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      connections.destroyAll();
      await isClosed;
      await connections.allClosed();
    },
  };
}
