import { once } from 'node:events';
import type { Server } from 'node:net';

/** Lets a server listen on a free port of loopback, and returns it. */
export async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}
