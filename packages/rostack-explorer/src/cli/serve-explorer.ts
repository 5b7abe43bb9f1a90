import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { createForeignExplorer } from '../create-explorer.ts';
import type { ExplorerSubject } from '../description/describe-implementation.ts';
import { OpenError } from './open-error.ts';
import type { OpenedImplementation } from './read-implementation.ts';
import { Relay, refuseUpgrade } from './relay.ts';

const RELAY_PATH = '/relay';

/** The explorer on a port of this computer. */
export interface ServedExplorer extends AsyncDisposable {
  readonly url: string;
}

/** Serves the explorer on 127.0.0.1, to its own page only. @throws OpenError `port_in_use` */
export async function serveExplorer(
  opened: OpenedImplementation & Pick<ExplorerSubject, 'resources'>,
  port: number,
): Promise<ServedExplorer> {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (cause) {
    throw new OpenError('port_in_use', `port ${port} cannot be listened on: ${String(cause)}`, { cause });
  }
  const { port: ownPort } = server.address() as AddressInfo;
  const hosts = new Set([`127.0.0.1:${ownPort}`, `localhost:${ownPort}`]);
  const relay = new Relay(opened);
  const app = new Hono()
    // A foreign host name that resolves to loopback would let a foreign page read this server (DNS rebinding).
    .use((c, next) => (hosts.has(c.req.header('host') ?? '') ? next() : Promise.resolve(c.text('', 421))))
    .get(RELAY_PATH, (c) => {
      const site = c.req.header('sec-fetch-site') ?? 'same-origin';
      if (site !== 'same-origin') return Promise.resolve(new Response(null, { status: 403 }));
      return relay.answer(c.req.raw, c.req.query('url') ?? '');
    })
    .route('/', createForeignExplorer(opened, { discoveryUrl: opened.url.href, relay: RELAY_PATH }));
  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  server.on('request', (request, response) => void answer(request, response));

  const sockets = new Set<Duplex>();
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    const { host = '', origin } = request.headers;
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    // A browser lets any page open a WebSocket here; only this server's page sends this origin.
    if (!hosts.has(host) || origin !== `http://${host}` || pathname !== RELAY_PATH) {
      refuseUpgrade(socket, 403);
    } else relay.upgrade(request, socket, head, searchParams.get('url') ?? '');
  });
  return {
    url: `http://127.0.0.1:${ownPort}/`,
    async [Symbol.asyncDispose]() {
      const isClosed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      for (const socket of sockets) socket.destroy();
      await isClosed;
    },
  };
}
