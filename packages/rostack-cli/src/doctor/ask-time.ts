import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';

const TIMEOUT_MS = 3_000;
const DEFAULT_PORT = 123;

// RFC 5905 section 7.3: version 4, mode 3 (client), 4 (server); where the timestamps are, and how long they are.
const CLIENT = 0x23;
const SERVER_MODE = 4;
const PACKET_BYTES = 48;
const ORIGIN = 24;
const TRANSMIT = 40;
const TIMESTAMP_BYTES = 8;

/** From 1900, when NTP's seconds begin, to 1970. */
const EPOCH_SECONDS = 2_208_988_800;

/** The time of an NTP server, `host` or `host:port`, in ms since the epoch; undefined if it does not answer within 3 s. */
export function askTime(server: string): Promise<number | undefined> {
  const { hostname, port } = new URL(`ntp://${server}`);
  const cookie = randomBytes(TIMESTAMP_BYTES);
  const packet = Buffer.alloc(PACKET_BYTES);
  packet.writeUInt8(CLIENT, 0);
  cookie.copy(packet, TRANSMIT);
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    const end = (timeMs: number | undefined) => {
      clearTimeout(timer);
      socket.close();
      resolve(timeMs);
    };
    const timer = setTimeout(() => end(undefined), TIMEOUT_MS);
    socket.once('error', () => end(undefined));
    socket.on('message', (answer) => {
      // An answer sends back what was sent; everything else is somebody else's.
      const isAnswer =
        answer.length >= PACKET_BYTES &&
        (answer.readUInt8(0) & 7) === SERVER_MODE &&
        answer.subarray(ORIGIN, ORIGIN + TIMESTAMP_BYTES).equals(cookie);
      if (isAnswer) end((answer.readUInt32BE(TRANSMIT) - EPOCH_SECONDS) * 1_000);
    });
    socket.send(packet, port === '' ? DEFAULT_PORT : Number(port), hostname, (error) => {
      if (error !== null) end(undefined);
    });
  });
}
