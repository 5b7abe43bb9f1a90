import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import type { Position } from '../record/change.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const TAG_BYTES = 12;
const MIN_KEY_BYTES = 32;

/**
 * "1." scope "." epoch "." position [ "." tag ]: the scope is 96 bits of base64url, epoch and tag are 1 to 64 and 1 to 32 of
 * its characters, the position is decimal.
 */
const CURSOR = /^1\.([\w-]{16})\.([\w-]{1,64})\.(0|[1-9]\d{0,15})(?:\.([\w-]{1,32}))?$/;

/** What an event cursor is valid for (protocol section 7). */
export interface EventCursorScope {
  readonly implementationId: string;
  readonly apiVersion: string;
  readonly resource: string;
  readonly principalId: string;
}

/** A place in the history of one resource. */
export interface EventPosition {
  /** 1 to 64 letters, digits, `-` and `_`. */
  readonly epoch: string;
  readonly position: Position;
  /** The position's tag, which pins the history up to it: 1 to 32 letters, digits, `-` and `_`, or empty. */
  readonly tag: string;
}

/**
 * - `cursor_unavailable`: malformed, of another epoch or history, or too old
 * - `cursor_scope_mismatch`: of another implementation, API version, resource or principal
 */
export type EventCursorErrorCode = 'cursor_unavailable' | 'cursor_scope_mismatch';

/** An event cursor that cannot be used; the subscriber takes a new snapshot. */
export class EventCursorError extends Error {
  override readonly name = 'EventCursorError';
  readonly retryable = false;
  readonly code: EventCursorErrorCode;

  constructor(code: EventCursorErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * The tag of a scope: 96 bits of HMAC-SHA-256 as 16 characters, constant for one subscription.
 * @param key secret of at least 32 bytes, the same on every node
 * @throws RangeError when the key is too short
 */
export function eventScopeTag(scope: EventCursorScope, key: Uint8Array): string {
  if (key.length < MIN_KEY_BYTES) {
    throw new RangeError(`The event cursor key needs at least ${MIN_KEY_BYTES} bytes; it has ${key.length}.`);
  }
  const { implementationId, apiVersion, resource, principalId } = scope;
  const text = JSON.stringify(['event-cursor', implementationId, apiVersion, resource, principalId]);
  return encodeBase64url(hmac(sha256, key, utf8ToBytes(text)).subarray(0, TAG_BYTES));
}

/** Formats the cursor of a position: `1.<scope tag>.<epoch>.<position>.<tag>`, without the last part if the tag is empty. */
export function encodeEventCursor(scopeTag: string, position: EventPosition): string {
  return `1.${scopeTag}.${sharedCursorText(position)}`;
}

/** The part of a position's cursors that does not depend on their scope. */
export function sharedCursorText({ epoch, position, tag }: EventPosition): string {
  return tag === '' ? `${epoch}.${position}` : `${epoch}.${position}.${tag}`;
}

/**
 * Reads the position of a cursor that was written for the same scope. Only the holder of the log knows whether its
 * history still has the epoch, the position and the tag.
 * @throws EventCursorError `cursor_unavailable` when malformed, `cursor_scope_mismatch` when of another scope
 */
export function decodeEventCursor(cursor: string, scopeTag: string): EventPosition {
  const [, scope, epoch, digits, tag = ''] = CURSOR.exec(cursor) ?? [];
  const position = Number(digits);
  if (scope === undefined || epoch === undefined || !Number.isSafeInteger(position)) {
    throw new EventCursorError('cursor_unavailable', 'The event cursor is malformed; take a new snapshot.');
  }
  if (scope !== scopeTag) {
    throw new EventCursorError(
      'cursor_scope_mismatch',
      'The event cursor is of another implementation, API version, resource or principal; take a new snapshot.',
    );
  }
  return { epoch, position, tag };
}

/** Base64url (RFC 4648 section 5) of bytes whose number is divisible by three, so that nothing needs padding. */
function encodeBase64url(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const [first = 0, second = 0, third = 0] = bytes.subarray(at, at + 3);
    const bits = (first << 16) | (second << 8) | third;
    for (const shift of [18, 12, 6, 0]) text += ALPHABET.charAt((bits >> shift) & 63);
  }
  return text;
}
