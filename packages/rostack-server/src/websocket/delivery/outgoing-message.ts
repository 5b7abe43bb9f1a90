import type { SharedPayload } from './shared-payload.ts';
import { type FrameHalf, textFrameHeaderBytes, writeTextFrameHeader } from './text-frame.ts';

const STORED_BLOCK_HEADER_BYTES = 5;
const MAX_STORED_BLOCK_BYTES = 65_535;

/** A message as one connection gets it: the pieces of its two halves; the last piece may be deflated. */
export interface OutgoingMessage {
  readonly own: FrameHalf;
  readonly shared: SharedPayload;
  /** The last piece; its bytes are shared by all connections that get it in this form. */
  readonly tail: Buffer;
  readonly isDeflated: boolean;
  readonly payloadBytes: number;
}

/**
 * Combines two halves into a message; its tail is deflated if that is worthwhile and the client can inflate it.
 * @param deflateUpToBytes see `OutboxOptions`
 */
export function createOutgoingMessage(
  own: FrameHalf,
  shared: SharedPayload,
  deflateUpToBytes: number,
): OutgoingMessage {
  const { first, second } = shared;
  const prefixBytes = own.byteLength + first.byteLength;
  const canDeflate = second.byteLength <= deflateUpToBytes && prefixBytes <= MAX_STORED_BLOCK_BYTES;
  const tail = canDeflate ? shared.deflatedSecond : second;
  const isDeflated = tail !== second;
  const payloadBytes = (isDeflated ? STORED_BLOCK_HEADER_BYTES : 0) + prefixBytes + tail.byteLength;
  return { own, shared, tail, isDeflated, payloadBytes };
}

/** Bytes of the whole frame. */
export function messageFrameBytes({ payloadBytes }: OutgoingMessage): number {
  return textFrameHeaderBytes(payloadBytes) + payloadBytes;
}

/**
 * Writes the frame up to the tail; returns the offset for the tail. Before a deflated tail, the other pieces form a stored block (RFC 1951
 * section 3.2.4), which needs no compression and ends on a byte boundary, where the tail begins.
 */
export function writeMessageStart(target: Buffer, offset: number, message: OutgoingMessage): number {
  const { own, shared, isDeflated, payloadBytes } = message;
  let end = writeTextFrameHeader(target, offset, payloadBytes, isDeflated);
  if (isDeflated) end = writeStoredBlockHeader(target, end, own.byteLength + shared.first.byteLength);
  end = copyBytes(target, own.first, end);
  end = copyBytes(target, shared.first, end);
  return copyBytes(target, own.second, end);
}

/** Copies bytes to a place; returns where they end. */
export function copyBytes(target: Buffer, bytes: Buffer, offset: number): number {
  if (bytes.byteLength > 0) target.set(bytes, offset);
  return offset + bytes.byteLength;
}

/** Header of a stored block that is not the last one: its length, and its length inverted. */
function writeStoredBlockHeader(target: Buffer, offset: number, bytes: number): number {
  target[offset] = 0;
  target.writeUInt16LE(bytes, offset + 1);
  target.writeUInt16LE(bytes ^ MAX_STORED_BLOCK_BYTES, offset + 3);
  return offset + STORED_BLOCK_HEADER_BYTES;
}
