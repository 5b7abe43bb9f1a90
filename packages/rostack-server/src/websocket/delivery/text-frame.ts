const FIN_AND_TEXT = 0x81;
const LENGTH_IN_2_BYTES = 126;
const LENGTH_IN_8_BYTES = 127;
const MAX_UINT32 = 2 ** 32;

/** Bytes of the header of an unmasked text frame (RFC 6455 section 5.2): 2, 4 or 10. */
export function textFrameHeaderBytes(payloadBytes: number): number {
  if (payloadBytes < LENGTH_IN_2_BYTES) return 2;
  return payloadBytes < 65_536 ? 4 : 10;
}

/** Writes the header of a whole, unmasked, uncompressed text frame (RFC 6455 section 5.2); returns where it ends. */
export function writeTextFrameHeader(target: Buffer, offset: number, payloadBytes: number): number {
  target[offset] = FIN_AND_TEXT;
  if (payloadBytes < LENGTH_IN_2_BYTES) {
    target[offset + 1] = payloadBytes;
    return offset + 2;
  }
  if (payloadBytes < 65_536) {
    target[offset + 1] = LENGTH_IN_2_BYTES;
    target[offset + 2] = payloadBytes >>> 8;
    target[offset + 3] = payloadBytes & 0xff;
    return offset + 4;
  }
  target[offset + 1] = LENGTH_IN_8_BYTES;
  target.writeUInt32BE(Math.floor(payloadBytes / MAX_UINT32), offset + 2);
  target.writeUInt32BE(payloadBytes % MAX_UINT32, offset + 6);
  return offset + 10;
}
