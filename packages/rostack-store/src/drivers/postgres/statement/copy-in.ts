import type { Buffer } from 'node:buffer';
import type * as Postgres from 'pg';
import type { Connection } from 'pg';

/** The methods between the driver and its queries that its types do not declare. */
interface DriverQuery {
  submit(connection: Connection): Error | null;
}

interface CopyConnection extends Connection {
  sendCopyFromChunk(bytes: Buffer): void;
  endCopyFrom(): void;
}

/** A `copy ... from stdin` with its rows, for `client.query`. @param callback gets null, or the reason of the failure */
export type CopyInClass = new (
  text: string,
  bytes: Buffer,
  timeoutMs: number,
  callback: (error: unknown) => void,
) => Postgres.Query;

/**
 * Makes the class of copies. The rows are sent directly after their statement: if that or an earlier statement has failed, the server skips
 * them.
 */
export function copyInClassOf(driver: typeof Postgres): CopyInClass {
  const Base = driver.Query as unknown as new (
    text: string,
    callback: (error: unknown) => void,
  ) => DriverQuery;

  class CopyIn extends Base {
    readonly query_timeout: number;
    readonly #text: string;
    readonly #bytes: Buffer;

    constructor(text: string, bytes: Buffer, timeoutMs: number, callback: (error: unknown) => void) {
      super(text, callback);
      this.query_timeout = timeoutMs;
      this.#text = text;
      this.#bytes = bytes;
    }

    override submit(connection: Connection): null {
      const copying = connection as CopyConnection;
      connection.stream.cork();
      connection.query(this.#text);
      copying.sendCopyFromChunk(this.#bytes);
      copying.endCopyFrom();
      connection.stream.uncork();
      return null;
    }

    handleCopyInResponse(): void {}
  }
  return CopyIn as unknown as CopyInClass;
}
