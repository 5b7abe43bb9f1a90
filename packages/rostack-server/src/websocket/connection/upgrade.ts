import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/** The WebSocket subprotocol of rostack_v1 (protocol section 7). */
export const SUBPROTOCOL = 'rostack.v1';

/** Why an upgrade is refused, as an HTTP answer. */
export interface UpgradeRefusal {
  readonly status: 400 | 403 | 404 | 429 | 500 | 503;
  readonly reason: string;
  readonly retryAfterSeconds?: number;
}

/** Which browsers may connect: any, or those whose `Origin` is listed. Clients without `Origin` always may. */
export type AllowedOrigins = '*' | readonly string[];

/** Checks what the request itself tells: its subprotocols and its origin. */
export function judgeUpgrade(
  request: IncomingMessage,
  allowedOrigins: AllowedOrigins,
): UpgradeRefusal | undefined {
  const { origin, 'sec-websocket-protocol': protocols = '' } = request.headers;
  if (origin !== undefined && allowedOrigins !== '*' && !allowedOrigins.includes(origin)) {
    return { status: 403, reason: 'This origin is not allowed.' };
  }
  if (!protocols.split(',').some((name) => name.trim() === SUBPROTOCOL)) {
    return { status: 400, reason: `Offer the subprotocol ${SUBPROTOCOL}.` };
  }
  return undefined;
}

/** Answers an upgrade with a plain HTTP response and ends the connection. */
export function refuseUpgrade(socket: Duplex, { status, reason, retryAfterSeconds }: UpgradeRefusal): void {
  const body = `${reason}\n`;
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Connection: close',
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...(retryAfterSeconds === undefined ? [] : [`Retry-After: ${retryAfterSeconds}`]),
  ];
  socket.on('error', () => socket.destroy());
  socket.once('finish', () => socket.destroy());
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
}
