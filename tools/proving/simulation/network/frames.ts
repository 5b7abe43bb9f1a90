const FIN = 0x80;
const MASKED = 0x80;
const NO_MASK = [0, 0, 0, 0];

export const OPCODE = { text: 0x1, close: 0x8 } as const;

export interface Frame {
  readonly opcode: number;
  readonly payload: Buffer;
}

/** A frame as a client sends it (RFC 6455 section 5.2), with the mask that changes nothing. */
export function encodeFrame(opcode: number, payload: Buffer): Buffer {
  const { length } = payload;
  const size = length < 126 ? [MASKED | length] : [MASKED | 126, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([FIN | opcode, ...size, ...NO_MASK]), payload]);
}

/** Takes whole frames, as a server sends them, off the front of what has come. */
export class FrameReader {
  #bytes: Buffer = Buffer.alloc(0);

  push(bytes: Buffer): void {
    this.#bytes = this.#bytes.length === 0 ? bytes : Buffer.concat([this.#bytes, bytes]);
  }

  /** The text up to the blank line of an HTTP answer; undefined until it is there. */
  takeHead(): string | undefined {
    const end = this.#bytes.indexOf('\r\n\r\n');
    if (end === -1) return undefined;
    const head = this.#bytes.toString('latin1', 0, end);
    this.#bytes = this.#bytes.subarray(end + 4);
    return head;
  }

  next(): Frame | undefined {
    const bytes = this.#bytes;
    if (bytes.length < 2) return undefined;
    const opcode = bytes.readUInt8(0) & 0x0f;
    const short = bytes.readUInt8(1);
    const start = short < 126 ? 2 : short === 126 ? 4 : 10;
    if (bytes.length < start) return undefined;
    const length = short < 126 ? short : short === 126 ? bytes.readUInt16BE(2) : bytes.readUInt32BE(6);
    if (bytes.length < start + length) return undefined;
    this.#bytes = bytes.subarray(start + length);
    return { opcode, payload: bytes.subarray(start, start + length) };
  }
}
