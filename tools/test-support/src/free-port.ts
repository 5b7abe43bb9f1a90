import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Outgoing connections take ports above it, also between the look for a port and its use. */
const FIRST_EPHEMERAL_PORT = 32_768;
const FIRST_PORT = 20_000;
const ATTEMPTS = 100;

/** A port on loopback that nobody listens on now. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = randomInt(FIRST_PORT, FIRST_EPHEMERAL_PORT);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
  throw new Error(`no free port from ${FIRST_PORT} to ${FIRST_EPHEMERAL_PORT} in ${ATTEMPTS} attempts`);
}
