import type { Buffer } from 'node:buffer';
import type { Duplex } from 'node:stream';
import type * as Postgres from 'pg';
import type { Client, ClientConfig } from 'pg';

/** What the driver does, beyond what its types say. */
interface DriverConnection {
  /** Reads what comes on the stream; called for each stream that the connection has, the last one of which may be encrypted. */
  attachListeners(stream: Duplex): void;
}

/**
 * The class of connections that fail by themselves. What comes from the server is read in a callback of the socket: an exception there,
 * such as for a text that is longer than JavaScript can have, would end the process.
 */
export function guardedClientOf(driver: typeof Postgres): new (config?: ClientConfig) => Client {
  return class GuardedClient extends driver.Client {
    constructor(config?: ClientConfig) {
      super(config);
      const connection = this.connection as unknown as DriverConnection;
      const attach = connection.attachListeners.bind(connection);
      connection.attachListeners = (stream) => {
        attach(stream);
        guard(stream);
      };
    }
  };
}

/** Makes an exception of what reads the stream a failure of the stream. */
function guard(stream: Duplex): void {
  for (const read of stream.listeners('data') as ((bytes: Buffer) => void)[]) {
    stream.off('data', read);
    stream.on('data', (bytes: Buffer) => {
      try {
        read(bytes);
      } catch (error) {
        stream.destroy(error instanceof Error ? error : new Error(String(error)));
      }
    });
  }
}
