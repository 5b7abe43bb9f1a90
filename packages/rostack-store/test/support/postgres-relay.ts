import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { POSTGRES_URL } from 'test-support/postgres';

const HEADER_BYTES = 5;
const ROW = 0x44;
/** A row that says it has 65,535 values, and has none. */
const BROKEN_ROW = Buffer.from([ROW, 0, 0, 0, 6, 0xff, 0xff]);

/** Leads to the server, and looks at what it answers. */
export interface PostgresRelay extends AsyncDisposable {
  readonly url: string;
  /** What the server has sent. */
  bytes: number;
  /** How often the driver has waited for an answer before it went on. */
  turns: number;
  /** The largest message of it. */
  largestBytes: number;
  /** The most that it has sent on one connection until the driver sent something again. */
  largestAnswerBytes: number;
  /** Whether rows come as the driver cannot read them. */
  isGarbling: boolean;
}

export async function postgresRelay(): Promise<PostgresRelay> {
  const { hostname, port } = new URL(POSTGRES_URL);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(port || 5432), hostname);
    for (const socket of [near, far]) sockets.add(socket.on('error', () => {}));
    const measure = messageSizes((bytes) => {
      relay.largestBytes = Math.max(relay.largestBytes, bytes);
    });
    let isAnswered = true;
    let answerBytes = 0;
    near.pipe(far);
    near.on('data', () => {
      answerBytes = 0;
      if (isAnswered) relay.turns += 1;
      isAnswered = false;
    });
    far.on('data', (bytes) => {
      isAnswered = true;
      relay.bytes += bytes.byteLength;
      answerBytes += bytes.byteLength;
      relay.largestAnswerBytes = Math.max(relay.largestAnswerBytes, answerBytes);
      measure(bytes);
      const isHeld = !near.write(relay.isGarbling && bytes.includes(ROW) ? BROKEN_ROW : bytes);
      if (isHeld) far.pause();
    });
    near.on('drain', () => far.resume());
    far.on('end', () => near.end());
    near.on('close', () => far.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(POSTGRES_URL);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  const relay: PostgresRelay = {
    url: url.href,
    bytes: 0,
    turns: 0,
    largestBytes: 0,
    largestAnswerBytes: 0,
    isGarbling: false,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return relay;
}

/** Takes a stream of messages: a letter, and a length that does not count the letter. */
function messageSizes(onMessage: (bytes: number) => void): (bytes: Buffer) => void {
  let header = Buffer.alloc(0);
  let left = 0;
  return (bytes) => {
    let at = 0;
    while (at < bytes.byteLength) {
      if (left > 0) {
        const taken = Math.min(left, bytes.byteLength - at);
        at += taken;
        left -= taken;
        continue;
      }
      const taken = bytes.subarray(at, at + HEADER_BYTES - header.byteLength);
      header = Buffer.concat([header, taken]);
      at += taken.byteLength;
      if (header.byteLength < HEADER_BYTES) continue;
      const length = header.readUInt32BE(1);
      onMessage(1 + length);
      left = length + 1 - HEADER_BYTES;
      header = Buffer.alloc(0);
    }
  };
}
