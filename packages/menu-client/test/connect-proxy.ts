import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

export interface ConnectProxy extends AsyncDisposable {
  /** Without user and password. */
  readonly url: string;
  /** The hosts that tunnels were opened to, one for each. */
  readonly tunnels: readonly string[];
  /** What each request for a tunnel said of itself. */
  readonly authorizations: readonly (string | undefined)[];
}

/**
 * An HTTP proxy on loopback that opens tunnels.
 * @param from the address that its own connections come from
 * @param credentials `user:password` that it asks for
 */
export async function startConnectProxy(from = '127.0.0.1', credentials?: string): Promise<ConnectProxy> {
  const tunnels: string[] = [];
  const authorizations: (string | undefined)[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((_request, response) => response.writeHead(405).end());
  server.on('connect', (request, client: Socket) => {
    const authorization = request.headers['proxy-authorization'];
    authorizations.push(authorization);
    if (
      credentials !== undefined &&
      authorization !== `Basic ${Buffer.from(credentials).toString('base64')}`
    ) {
      client.end('HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\n\r\n');
      return;
    }
    tunnels.push(request.url ?? '');
    const { hostname, port } = new URL(`http://${request.url ?? ''}`);
    const operator = connect({ host: hostname, port: Number(port), localAddress: from });
    for (const socket of [client, operator]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => sockets.delete(socket));
    }
    operator.on('connect', () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      operator.pipe(client).pipe(operator);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tunnels,
    authorizations,
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
      for (const socket of sockets) socket.destroy();
    },
  };
}
