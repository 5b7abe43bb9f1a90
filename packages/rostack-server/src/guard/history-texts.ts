import { Buffer } from 'node:buffer';
import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync } from 'node:crypto';
import type { Position, PositionTexts, RowRule } from 'rostack-core';

/** How positions and versions of a resource are shown to clients. */
export interface HistoryTexts {
  /** Undefined means in decimal. */
  readonly positions: PositionTexts | undefined;
  /** A record's version, as `ETag` and `resource_version`. */
  version(version: string): string;
  eventId(eventId: string): string;
}

const CLEAR: HistoryTexts = {
  positions: undefined,
  version: (version) => version,
  eventId: (eventId) => eventId,
};

const ALGORITHM = 'aes-256-ecb';
const KEY_BYTES = 32;
const BLOCK_BYTES = 16;
const VERSION_LENGTH = 22;

/**
 * If a row rule hides rows, positions are sealed and versions are hashed, because they would reveal how many changes a client may not see.
 * Equal ones stay equal on every server with the same key.
 * @param key the key of event cursors
 */
export function historyTexts(key: Uint8Array, resource: string, rule: RowRule | undefined): HistoryTexts {
  if (rule === undefined) return CLEAR;
  const bytes = Buffer.from(hkdfSync('sha256', key, '', `rostack history ${resource}`, 2 * KEY_BYTES));
  const versionKey = createSecretKey(bytes.subarray(KEY_BYTES));
  const hashOf = (text: string): string =>
    createHmac('sha256', versionKey).update(text).digest('base64url').slice(0, VERSION_LENGTH);
  return { positions: sealedPositions(bytes.subarray(0, KEY_BYTES)), version: hashOf, eventId: hashOf };
}

/** Eight zero bytes and a position are one block of the cipher, without mode or nonce. A forged block does not decrypt to zeros. */
function sealedPositions(keyBytes: Uint8Array): PositionTexts {
  const key = createSecretKey(keyBytes);
  const cipher = createCipheriv(ALGORITHM, key, null).setAutoPadding(false);
  const decipher = createDecipheriv(ALGORITHM, key, null).setAutoPadding(false);
  return {
    write: (position) => {
      const block = Buffer.alloc(BLOCK_BYTES);
      block.writeBigUInt64BE(BigInt(position), BLOCK_BYTES / 2);
      return cipher.update(block).toString('base64url');
    },
    read: (text) => {
      const sealed = Buffer.from(text, 'base64url');
      // Buffer ignores characters that are not base64url.
      if (sealed.length !== BLOCK_BYTES || sealed.toString('base64url') !== text) return undefined;
      return positionIn(decipher.update(sealed));
    },
  };
}

function positionIn(block: Buffer): Position | undefined {
  const position = block.readBigUInt64BE(BLOCK_BYTES / 2);
  const isSealed = block.readBigUInt64BE(0) === 0n && position <= BigInt(Number.MAX_SAFE_INTEGER);
  return isSealed ? Number(position) : undefined;
}
