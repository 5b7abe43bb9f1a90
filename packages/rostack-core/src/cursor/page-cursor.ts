import { z } from 'zod';
import type { PageKey, Position } from '../record/record-source.ts';
import type { Aead } from './aead.ts';
import { PageCursorError } from './cursor-error.ts';
import { type CursorPlatform, portableCursorPlatform } from './cursor-platform.ts';

/** For how long a page cursor can be used, counted from when it was written. */
export const PAGE_CURSOR_LIFETIME_MS = 900_000;

/** Random bytes that `encodePageCursor` needs for each cursor. */
export const PAGE_CURSOR_NONCE_BYTES = 12;

const FORMAT = 2;
const KEY_BYTES = 32;
const HEADER_BYTES = 2;
const TAG_BYTES = 16;
const MAX_TEXT_LENGTH = 8_192;

/** What a page cursor is bound to (protocol section 10). */
export interface PageCursorScope {
  readonly implementationId: string;
  readonly apiVersion: string;
  readonly resource: string;
  readonly principalId: string;
  /** Canonical text of filter, sort and fields. */
  readonly query: string;
}

/** Where the next page of a chain begins. */
export interface PagePlace {
  readonly epoch: string;
  /** The snapshot's position. */
  readonly at: Position;
  /** The tag of `at`, which pins the history up to it. */
  readonly tag: string;
  readonly after: PageKey;
}

export interface PageCursorKey {
  /** 0 to 255; stands in the cursor in clear. */
  readonly id: number;
  /** 32 bytes. */
  readonly bytes: Uint8Array;
}

/** The key that writes cursors, and older ones that still read them: keep an old key for the lifetime of a cursor. */
export interface PageCursorKeyring {
  readonly current: PageCursorKey;
  readonly previous?: readonly PageCursorKey[];
}

// The decoder of every platform, named here because no platform's types are at hand.
declare const TextDecoder: new (
  label: 'utf-8',
  options: { readonly fatal: boolean },
) => { readonly decode: (bytes: Uint8Array) => string };

const decoder = new TextDecoder('utf-8', { fatal: true });

/** `[]` stands for a missing field: sort values are never arrays. */
const valueModel = z.union([z.null(), z.boolean(), z.number(), z.string(), z.tuple([])]);
const payloadModel = z.tuple([z.int(), z.string(), z.int(), z.string(), z.string(), z.array(valueModel)]);

/**
 * Seals a place into a cursor: base64url of format, key id, nonce and AES-256-GCM ciphertext, with the scope as additional data.
 * @param nowMs milliseconds since the epoch; the cursor lives 15 minutes from then
 * @param nonce 12 random bytes, never used twice with one key
 * @param platform @default portableCursorPlatform
 * @throws RangeError when a key or the nonce has another size
 */
export function encodePageCursor(
  place: PagePlace,
  scope: PageCursorScope,
  keyring: PageCursorKeyring,
  nowMs: number,
  nonce: Uint8Array,
  platform: CursorPlatform = portableCursorPlatform,
): string {
  if (nonce.length !== PAGE_CURSOR_NONCE_BYTES) {
    throw new RangeError(`A page cursor's nonce has ${PAGE_CURSOR_NONCE_BYTES} bytes, not ${nonce.length}.`);
  }
  const { current } = keyring;
  const values = place.after.values.map((value) => (value === undefined ? [] : value));
  const expiresAtMs = nowMs + PAGE_CURSOR_LIFETIME_MS;
  const payload = JSON.stringify([expiresAtMs, place.epoch, place.at, place.tag, place.after.id, values]);
  const { cipher, encodeUtf8, encodeBase64url } = platform;
  const sealed = cipher(checkedKey(current)).seal(
    nonce,
    encodeUtf8(additionalData(scope)),
    encodeUtf8(payload),
  );
  return encodeBase64url([Uint8Array.of(FORMAT, current.id), nonce, sealed]);
}

/**
 * Opens a cursor that was written for the same scope with a key of the ring and has not expired.
 * @param platform @default portableCursorPlatform
 * @throws PageCursorError `invalid_cursor`, without saying why
 */
export function decodePageCursor(
  cursor: string,
  scope: PageCursorScope,
  keyring: PageCursorKeyring,
  nowMs: number,
  platform: CursorPlatform = portableCursorPlatform,
): PagePlace {
  const bytes = cursor.length <= MAX_TEXT_LENGTH ? platform.decodeBase64url(cursor) : undefined;
  const minBytes = HEADER_BYTES + PAGE_CURSOR_NONCE_BYTES + TAG_BYTES;
  if (bytes === undefined || bytes.length < minBytes || bytes[0] !== FORMAT) throw invalid();
  const key = [keyring.current, ...(keyring.previous ?? [])].find(({ id }) => id === bytes[1]);
  if (key === undefined) throw invalid();
  const sealedFrom = HEADER_BYTES + PAGE_CURSOR_NONCE_BYTES;
  const opened = open(
    platform.cipher(checkedKey(key)),
    bytes.subarray(HEADER_BYTES, sealedFrom),
    platform.encodeUtf8(additionalData(scope)),
    bytes.subarray(sealedFrom),
  );
  const payload = payloadModel.safeParse(opened);
  if (!payload.success) throw invalid();
  const [expiresAtMs, epoch, at, tag, id, values] = payload.data;
  if (nowMs >= expiresAtMs) throw invalid();
  return {
    epoch,
    at,
    tag,
    after: { id, values: values.map((value) => (Array.isArray(value) ? undefined : value)) },
  };
}

function open(aead: Aead, nonce: Uint8Array, scope: Uint8Array, sealed: Uint8Array): unknown {
  let text: string;
  try {
    text = decoder.decode(aead.open(nonce, scope, sealed));
  } catch {
    throw invalid();
  }
  return JSON.parse(text);
}

function additionalData(scope: PageCursorScope): string {
  const { implementationId, apiVersion, resource, principalId, query } = scope;
  return JSON.stringify(['page-cursor', implementationId, apiVersion, resource, principalId, query]);
}

function checkedKey({ id, bytes }: PageCursorKey): Uint8Array {
  if (!Number.isInteger(id) || id < 0 || id > 255 || bytes.length !== KEY_BYTES) {
    throw new RangeError('A page cursor key has an id from 0 to 255 and 32 bytes.');
  }
  return bytes;
}

function invalid(): PageCursorError {
  return new PageCursorError(
    'The cursor is malformed, expired, or of another query; start again without it.',
  );
}
