import type { Socket } from 'node:net';
import { type OnFrame, takeFrames } from './frames.ts';

/** What an upgrade to WebSocket asks for. */
export interface UpgradeRequest {
  readonly path: string;
  readonly subprotocol?: string;
  /** What is offered; frames are taken as they come and never inflated. @default none */
  readonly extensions?: string;
  /** Further header fields, each with its line break. @default none */
  readonly headers?: string;
}

export interface UpgradeHandlers {
  /** The server has answered; whatever its status is. */
  readonly onUpgraded: () => void;
  readonly onFrame: OnFrame;
}

/** Asks for an upgrade on a bare socket, and takes what comes after the answer as frames. */
export function upgradeBare(
  socket: Socket,
  request: UpgradeRequest,
  { onUpgraded, onFrame }: UpgradeHandlers,
): void {
  let isUpgraded = false;
  let rest: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    let bytes = rest.byteLength === 0 ? chunk : Buffer.concat([rest, chunk]);
    if (!isUpgraded) {
      const end = bytes.indexOf('\r\n\r\n');
      if (end === -1) {
        rest = bytes;
        return;
      }
      isUpgraded = true;
      bytes = bytes.subarray(end + 4);
      onUpgraded();
    }
    rest = takeFrames(bytes, onFrame);
  });
  const { path, subprotocol, extensions, headers = '' } = request;
  const protocol = subprotocol === undefined ? '' : `Sec-WebSocket-Protocol: ${subprotocol}\r\n`;
  const offer = extensions === undefined ? '' : `Sec-WebSocket-Extensions: ${extensions}\r\n`;
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n${protocol}${offer}${headers}\r\n`,
  );
}
