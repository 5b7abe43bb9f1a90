import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';

/** Below the ports that systems give to outgoing connections, one of which could take a port between two starts. */
const FIRST_PORT = 20_000;
const LAST_PORT = 32_000;
const MAX_TRIES = 20;
const LOG_END_LENGTH = 2_000;
const TAKEN = 'Address already in use';

/**
 * Starts a server that writes a log on a port of loopback that nobody has. If somebody takes the port in the meantime, it is started on
 * another one.
 * @param port where it has to start; undefined: anywhere
 * @param log what the server appends to
 * @returns its port
 * @throws Error with the end of its log
 */
export async function startOnPort(
  port: number | undefined,
  log: string,
  start: (port: number) => Promise<void>,
): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    const chosen = port ?? (await untakenPort());
    const before = await textOf(log);
    try {
      await start(chosen);
      return chosen;
    } catch (cause) {
      const said = (await textOf(log)).slice(before.length);
      if (port === undefined && tries < MAX_TRIES && said.includes(TAKEN)) continue;
      const reason = said.slice(-LOG_END_LENGTH) || String(cause);
      throw new Error(`PostgreSQL did not start on port ${chosen}: ${reason}`, { cause });
    }
  }
}

async function untakenPort(): Promise<number> {
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    const port = randomInt(FIRST_PORT, LAST_PORT);
    if (await isFree(port)) return port;
  }
  throw new Error(`of ${MAX_TRIES} ports from ${FIRST_PORT} to ${LAST_PORT} none was free`);
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => {
      server.close(() => resolve(true));
    });
  });
}

const textOf = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '');
