import { WebSocket } from 'ws';

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
