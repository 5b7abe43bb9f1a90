/** Frames of WebSocket (RFC 6455 section 5.2), read and written by hand. */

/** Told of a frame: its bytes with its header, and where its payload begins in the bytes that it came in. */
export type OnFrame = (frameBytes: number, payloadStart: number, bytes: Buffer) => void;

/** Calls back for each whole frame; returns the bytes that begin the next one. */
export function takeFrames(bytes: Buffer, onFrame: OnFrame): Buffer {
  let at = 0;
  for (;;) {
    const second = bytes[at + 1];
    if (second === undefined) break;
    const start = at + (second < 126 ? 2 : second === 126 ? 4 : 10);
    if (bytes.byteLength < start) break;
    const length =
      second < 126 ? second : second === 126 ? bytes.readUInt16BE(at + 2) : bytes.readUInt32BE(at + 6);
    if (bytes.byteLength < start + length) break;
    onFrame(start - at + length, start, bytes);
    at = start + length;
  }
  return bytes.subarray(at);
}

/** A text frame as a client sends it. */
export function maskedText(text: string): Buffer {
  const payload = Buffer.from(text);
  const { byteLength } = payload;
  const header =
    byteLength < 126 ? [0x81, 0x80 | byteLength] : [0x81, 0x80 | 126, byteLength >>> 8, byteLength & 0xff];
  return Buffer.concat([Buffer.from([...header, 0, 0, 0, 0]), payload]);
}
