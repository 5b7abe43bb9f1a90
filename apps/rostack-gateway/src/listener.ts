import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';

export interface ListenerOptions {
  /** Address to bind. @default '127.0.0.1' */
  readonly host?: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly certificatePem: string;
  readonly keyPem: string;
}

/** An HTTPS server that listens already, but has no request handler yet. */
export interface Listener {
  readonly server: Server;
  readonly port: number;
}

/** Somebody else listens on the port. */
export class PortInUseError extends Error {
  override readonly name = 'PortInUseError';
  readonly code = 'port_in_use';
  readonly retryable = false;

  constructor(port: number) {
    super(`Port ${port} is already in use.`);
  }
}

/** Binds the port, so that the URLs that an implementation advertises are known before it is defined. @throws PortInUseError */
export async function listen(options: ListenerOptions): Promise<Listener> {
  const { host = '127.0.0.1', port, certificatePem, keyPem } = options;
  const server = createServer({ cert: certificatePem, key: keyPem });
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
      throw new PortInUseError(port);
    throw error;
  }
  return { server, port: (server.address() as AddressInfo).port };
}
