import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** A way to a TCP server that can be cut. */
export interface CuttableProxy extends AsyncDisposable {
  readonly port: number;
  /** Breaks all connections and refuses new ones. */
  cut(): void;
  /** Holds back what comes from the server on the connections that there are. */
  hush(): void;
  restore(): Promise<void>;
}

export async function startProxy(to: {
  readonly hostname: string;
  readonly port: number;
}): Promise<CuttableProxy> {
  const sockets = new Set<Socket>();
  const upstreams = new Set<Socket>();
  const listen = async (at: number): Promise<Server> => {
    const server = createServer((client) => {
      const upstream = connect(to.port, to.hostname);
      for (const socket of [client, upstream]) {
        sockets.add(socket);
        socket.on('error', () => {});
        socket.on('close', () => {
          sockets.delete(socket);
          client.destroy();
          upstream.destroy();
        });
      }
      upstreams.add(upstream);
      upstream.on('close', () => upstreams.delete(upstream));
      client.pipe(upstream).pipe(client);
    }).listen(at, '127.0.0.1');
    await once(server, 'listening');
    return server;
  };
  let server = await listen(0);
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const cut = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return {
    port,
    cut,
    hush: () => {
      for (const upstream of upstreams) upstream.unpipe();
    },
    restore: async () => {
      server = await listen(port);
    },
    [Symbol.asyncDispose]: async () => {
      cut();
    },
  };
}
