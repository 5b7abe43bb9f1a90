import { Buffer } from 'node:buffer';
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
} from 'node:crypto';
import type { PageKey, Position } from 'rostack-core';
import { parseTrustedJson } from 'rostack-core';
import type { PageCursorKeyring } from '../options/cursor-keys.ts';
import { HttpProblem } from './http-problem.ts';

const FORMAT = 2;
const HEADER_BYTES = 2;
const NONCE_BYTES = 12;
const NONCE_KEY_BYTES = 32;
const TAG_BYTES = 16;
const MAX_TEXT_LENGTH = 8_192;
const ALGORITHM = 'aes-256-gcm';

/** Where the next page of a chain begins. */
export interface PageCursorState {
  readonly epoch: string;
  /** The snapshot's position. */
  readonly at: Position;
  /** The tag of `at`, which pins the history up to it. */
  readonly tag: string;
  readonly after: PageKey;
}

/** What is in a cursor: when it expires, epoch, position, tag, and the key of the last record. */
type Payload = readonly [number, string, Position, string, string, readonly SealedValue[]];
/** `[]` is a missing field: sort values are never arrays. */
type SealedValue = null | boolean | number | string | readonly [];

/**
 * Seals and opens page cursors: base64url of format, key id, nonce and AES-256-GCM ciphertext, with the scope as additional data. The
 * nonce is an HMAC of scope and content, so that equal places give equal cursors, and different ones different nonces. What opens was
 * sealed by us, so it is not checked again.
 */
export class PageCursorSeal {
  readonly #currentId: number;
  readonly #currentKey: KeyObject;
  readonly #keys: ReadonlyMap<number, KeyObject>;
  readonly #nonceKey: KeyObject;

  constructor({ current, previous = [] }: PageCursorKeyring) {
    this.#currentId = current.id;
    // A key object is four times as fast as the same bytes.
    this.#currentKey = createSecretKey(current.bytes);
    const nonceKey = hkdfSync('sha256', current.bytes, '', 'page-cursor nonce', NONCE_KEY_BYTES);
    this.#nonceKey = createSecretKey(new Uint8Array(nonceKey));
    const older = previous.toReversed().map(({ id, bytes }) => [id, createSecretKey(bytes)] as const);
    this.#keys = new Map([...older, [current.id, this.#currentKey]]);
  }

  /** @param scope what the cursor is bound to: only the same text opens it */
  seal({ epoch, at, tag, after }: PageCursorState, scope: string, expiresAtMs: number): string {
    const values = after.values.map((value): SealedValue => (value === undefined ? [] : value));
    const payload: Payload = [expiresAtMs, epoch, at, tag, after.id, values];
    const content = JSON.stringify(payload);
    const nonce = this.#nonceOf(scope, content);
    const cipher = createCipheriv(ALGORITHM, this.#currentKey, nonce).setAAD(Buffer.from(scope));
    const text = cipher.update(content, 'utf8');
    // GCM holds nothing back: there is no rest, but only now there is a tag.
    cipher.final();
    const header = Uint8Array.of(FORMAT, this.#currentId);
    return Buffer.concat([header, nonce, text, cipher.getAuthTag()]).toString('base64url');
  }

  /** @throws HttpProblem invalid-cursor, without saying why */
  open(cursor: string, scope: string, nowMs: number): PageCursorState {
    const payload = this.#payloadOf(cursor, scope);
    if (payload === undefined || nowMs >= payload[0]) {
      throw HttpProblem.of(
        'invalid-cursor',
        'The cursor is malformed, expired, or of another query; start again without it.',
      );
    }
    const [, epoch, at, tag, id, sealed] = payload;
    const values = sealed.map((value) => (isMissing(value) ? undefined : value));
    return { epoch, at, tag, after: { id, values } };
  }

  /** The length of the scope says where the content begins: no two pairs give one text. */
  #nonceOf(scope: string, content: string): Buffer {
    const mac = createHmac('sha256', this.#nonceKey).update(`${scope.length} ${scope}${content}`);
    return mac.digest().subarray(0, NONCE_BYTES);
  }

  #payloadOf(cursor: string, scope: string): Payload | undefined {
    if (cursor.length > MAX_TEXT_LENGTH) return undefined;
    const bytes = Buffer.from(cursor, 'base64url');
    // Buffer skips what is not base64url.
    if (bytes.toString('base64url') !== cursor) return undefined;
    const [format, id] = bytes;
    const key = id === undefined ? undefined : this.#keys.get(id);
    if (format !== FORMAT || key === undefined) return undefined;
    const sealedFrom = HEADER_BYTES + NONCE_BYTES;
    if (bytes.length < sealedFrom + TAG_BYTES) return undefined;
    const nonce = bytes.subarray(HEADER_BYTES, sealedFrom);
    const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(scope))
      .setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      const text = decipher.update(bytes.subarray(sealedFrom, -TAG_BYTES));
      decipher.final();
      return parseTrustedJson(text.toString()) as Payload;
    } catch {
      return undefined;
    }
  }
}

function isMissing(value: SealedValue): value is readonly [] {
  return Array.isArray(value);
}
