import { Buffer } from 'node:buffer';
import { connect } from 'node:net';
import type { PoolClient } from 'pg';

/** The first word of the message, in the place of a protocol version. */
const CANCEL_REQUEST = 80_877_102;
const CANCEL_TIMEOUT_MS = 5_000;

/**
 * Asks the server to end what it runs for a client, as PostgreSQL's protocol provides (message CancelRequest): a statement that waits for
 * a lock would else go on when nobody waits for it, and its session with it. A pooler passes the request on. Whether it comes in time,
 * nobody is told.
 */
export function cancelQuery(client: PoolClient): void {
  // The driver keeps these, though its types do not say so.
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
  // The other side closes. A pooler forgets the request of somebody who has gone.
  socket.write(message);
  socket.resume();
  socket.unref();
}
