import { Buffer } from 'node:buffer';
import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync } from 'node:crypto';
import type { Position, PositionTexts, RowRule } from 'rostack-core';

/** How clients are shown where in the history of a resource they are. */
export interface HistoryTexts {
  /** Undefined: in decimal. */
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
 * Where a row rule hides rows, positions are sealed and versions are hashes: the number of changes that somebody may not see could be
 * read in them. Equal ones stay equal, on every server with the same key.
 * @param key of event cursors
 */
export function historyTexts(key: Uint8Array, resource: string, rule: RowRule | undefined): HistoryTexts {
  if (rule === undefined) return CLEAR;
  const bytes = Buffer.from(hkdfSync('sha256', key, '', `rostack history ${resource}`, 2 * KEY_BYTES));
  const versionKey = createSecretKey(bytes.subarray(KEY_BYTES));
  const hashOf = (text: string): string =>
    createHmac('sha256', versionKey).update(text).digest('base64url').slice(0, VERSION_LENGTH);
  return { positions: sealedPositions(bytes.subarray(0, KEY_BYTES)), version: hashOf, eventId: hashOf };
}

/** A position and as many zero bytes are one block of the cipher, which needs no mode and no nonce: a block that was made up opens to no zeros. */
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
      // Buffer skips what is not base64url.
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
