import { Buffer } from 'node:buffer';
import { connect } from 'node:net';
import type { PoolClient } from 'pg';

/** The first word of the message, in place of a protocol version. */
const CANCEL_REQUEST = 80_877_102;
const CANCEL_TIMEOUT_MS = 5_000;

/**
 * Asks the server to cancel what it runs for a client (PostgreSQL's message CancelRequest): otherwise a statement that waits for a lock,
 * and its session, would go on after everyone stopped waiting for it. A pooler passes the request on. The server does not say whether it
 * came in time.
 */
export function cancelQuery(client: PoolClient): void {
  // The driver has these properties, though its types do not declare them.
  const { host, port, processID, secretKey } = client as unknown as {
    readonly host: string;
    readonly port: number;
    readonly processID: number | null;
    readonly secretKey: number | null;
  };
  if (processID === null || secretKey === null) return;
  const message = Buffer.alloc(16);
  message.writeInt32BE(message.byteLength, 0);
  message.writeInt32BE(CANCEL_REQUEST, 4);
  message.writeInt32BE(processID, 8);
  message.writeInt32BE(secretKey, 12);
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  socket.setTimeout(CANCEL_TIMEOUT_MS, () => socket.destroy());
  socket.on('error', () => {});
  // The other side closes: a pooler forgets the request of a client that has disconnected.
  socket.write(message);
  socket.resume();
  socket.unref();
}
