import type { Buffer } from 'node:buffer';
import type { Duplex } from 'node:stream';
import type * as Postgres from 'pg';
import type { Client, ClientConfig } from 'pg';

/** The part of the driver's connection that its types do not declare. */
interface DriverConnection {
  /** Parses what arrives on the stream; called for each stream of the connection, the last of which may be encrypted. */
  attachListeners(stream: Duplex): void;
}

/**
 * The class of clients that survive exceptions of the parser. The driver parses the server's messages in a callback of the socket, where an
 * exception, such as for a text longer than JavaScript allows, would end the process.
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

/** Turns an exception of a stream's parser into an error of the stream. */
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
