import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { AllowedOrigins, UpgradeRefusal } from '../options/gateway-options.ts';

/** The WebSocket subprotocol of rostack_v1 (protocol section 7). */
export const SUBPROTOCOL = 'rostack.v1';

/** Checks the subprotocols and the origin of a request. */
export function checkUpgrade(
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
