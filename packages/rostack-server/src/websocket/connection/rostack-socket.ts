import type { IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import { comparedHost } from '../../http/request/hosts.ts';
import { type Refusal, UPGRADE_FIELDS } from '../../http/request/refusal.ts';
import type { AllowedOrigins } from '../options/gateway-options.ts';

/** The WebSocket subprotocol of rostack_v1 (protocol section 7). */
export const SUBPROTOCOL = 'rostack.v1';

/** How far back the server's deflater may refer, in an answer (RFC 7692 section 7.1.2.1): 2 to this power, in bytes. */
const SERVER_WINDOW_BITS = /; server_max_window_bits=(\d+)/;
const LARGEST_WINDOW_BITS = 15;

/** 16 bytes in Base64. */
const KEY = /^[+/0-9A-Za-z]{22}==$/;

/** Checks the handshake (RFC 6455 section 4.2.1), the host, the origin and the subprotocols of a request. */
export function checkUpgrade(
  { method, headers }: IncomingMessage,
  hosts: ReadonlySet<string> | undefined,
  allowedOrigins: AllowedOrigins,
): Refusal | undefined {
  const { host = '', origin, 'sec-websocket-key': key = '', 'sec-websocket-version': version } = headers;
  if (method !== 'GET') return { status: 405, reason: 'Use GET.', headers: { Allow: 'GET' } };
  if (hosts !== undefined && !hosts.has(comparedHost(host))) {
    return {
      status: 400,
      reason: 'This host is not served here: use the URLs of the discovery document.',
    };
  }
  if (version !== '13') {
    return { status: 400, reason: 'Use version 13 of the WebSocket protocol.', headers: UPGRADE_FIELDS };
  }
  if (!KEY.test(key)) return { status: 400, reason: 'Sec-WebSocket-Key is not 16 bytes in Base64.' };
  if (origin !== undefined && allowedOrigins !== '*' && !allowedOrigins.includes(origin)) {
    return { status: 403, reason: 'This origin is not allowed.' };
  }
  const protocols = (headers['sec-websocket-protocol'] ?? '').split(',');
  if (!protocols.some((name) => name.trim() === SUBPROTOCOL)) {
    return { status: 400, reason: `Offer the subprotocol ${SUBPROTOCOL}.` };
  }
  return undefined;
}

/**
 * The largest shared piece, in bytes, that a client can inflate after this answer. Pieces deflated once for all clients use the largest
 * window, so a client that asked for a smaller one only gets pieces that fit into its window deflated.
 * @param headers the header lines of the answer
 */
export function deflateUpToBytes(headers: readonly string[]): number {
  const answer = headers.find((line) => line.startsWith('Sec-WebSocket-Extensions: permessage-deflate'));
  if (answer === undefined) return 0;
  const windowBits = Number(SERVER_WINDOW_BITS.exec(answer)?.[1] ?? LARGEST_WINDOW_BITS);
  return windowBits < LARGEST_WINDOW_BITS ? 2 ** windowBits : Number.POSITIVE_INFINITY;
}

/** Receives what a socket reads. */
export interface SocketOwner {
  received(data: Buffer, isBinary: boolean): void;
  /** The peer broke the framing: too large, too many fragments, not UTF-8, not RFC 6455. */
  receivedUnreadable(): void;
  socketClosed(code: number, reason: string): void;
}

/**
 * A server-side socket. All sockets share the same listeners, and framing errors end with a close code of the protocol instead of one of
 * RFC 6455.
 */
export class RostackSocket extends WebSocket {
  owner: SocketOwner | undefined;

  listen(owner: SocketOwner): void {
    this.owner = owner;
    this.on('message', onMessage);
    this.on('close', onClose);
    this.on('error', onError);
  }

  /** `ws` itself closes without a reason only when it could not read a frame. */
  override close(code?: number, reason?: string | Buffer): void {
    if (code === undefined || reason !== undefined || this.owner === undefined) super.close(code, reason);
    else this.owner.receivedUnreadable();
  }
}

function onMessage(this: WebSocket, data: unknown, isBinary: boolean): void {
  if (this instanceof RostackSocket) this.owner?.received(data as Buffer, isBinary);
}

function onClose(this: WebSocket, code: number, reason: Buffer): void {
  if (this instanceof RostackSocket) this.owner?.socketClosed(code, reason.toString('utf8'));
}

/** Every error is followed by `close`, which does everything that is needed. */
function onError(): void {}
