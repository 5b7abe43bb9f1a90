import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Thrown when the server cannot listen where it should; the message is one sentence for the person who started it. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
  readonly code: 'port_in_use' | 'listen_failed';
  readonly retryable = false;

  constructor(code: 'port_in_use' | 'listen_failed', message: string) {
    super(message);
    this.code = code;
  }
}

export interface Listener {
  readonly port: number;
  /** Lets running requests finish within `graceMs`, then closes every connection. */
  close(graceMs?: number): Promise<void>;
}

/** Answers a request; never rejects. */
export type RequestHandler = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;

// A request is read within 30 s; a keep-alive connection may idle for 10 s; no request of this site has long headers.
const TIMEOUTS = {
  requestTimeout: 30_000,
  headersTimeout: 15_000,
  keepAliveTimeout: 10_000,
  maxHeaderSize: 16_384,
};

const SENTENCES: Readonly<Record<string, (host: string, port: number, setting: string) => string>> = {
  EADDRINUSE: (_host, port, setting) =>
    `Port ${port} is in use: stop what listens there or set ${setting} to another port.`,
  EACCES: (_host, port, setting) =>
    `Port ${port} needs more rights than this process has: set ${setting} to a port above 1023.`,
  EADDRNOTAVAIL: (host) => `This machine has no address ${host}: set CAFETERIA_HOST to one that it has.`,
};

/**
 * Serves HTTP/1.1.
 *
 * @param setting the environment variable that sets the port, for messages
 * @throws ListenError `port_in_use`, `listen_failed`
 */
export async function listen(
  handler: RequestHandler,
  host: string,
  port: number,
  setting: string,
): Promise<Listener> {
  const server = createServer(TIMEOUTS, (incoming, outgoing) => void handler(incoming, outgoing));
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const sentence =
      SENTENCES[code]?.(host, port, setting) ?? `Cannot listen on ${host} port ${port} (${code}).`;
    throw new ListenError(code === 'EADDRINUSE' ? 'port_in_use' : 'listen_failed', sentence);
  }
  return {
    port: (server.address() as AddressInfo).port,
    close: async (graceMs = 5_000) => {
      const closed = once(server, 'close');
      server.close();
      // A keep-alive connection becomes idle when its last request ends, and would then delay closing until its timeout.
      const idle = setInterval(() => server.closeIdleConnections(), 50);
      const timer = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearInterval(idle);
      clearTimeout(timer);
    },
  };
}
