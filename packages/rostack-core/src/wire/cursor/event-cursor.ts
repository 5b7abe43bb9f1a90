import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import type { EventPosition, Position } from '../../record/change.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const TAG_BYTES = 12;
const MIN_KEY_BYTES = 32;

/**
 * "1." scope [ "~" rows ] "." epoch "." position [ "." tag ]: scope and rows are 96 bits of base64url each, epoch and tag are
 * 1 to 64 and 1 to 32 of its characters, and `PositionTexts` write the position.
 */
const CURSOR = /^1\.([\w-]{16})((?:~[\w-]{16})?)\.([\w-]{1,64})\.([\w-]{1,32})(?:\.([\w-]{1,32}))?$/;
const DECIMAL = /^(?:0|[1-9]\d{0,15})$/;

/** What an event cursor is valid for (protocol section 7). */
export interface EventCursorScope {
  /** `implementation.id` of the discovery document. */
  readonly implementationId: string;
  /** `implementation.api_version`: no cursor outlives a breaking change. */
  readonly apiVersion: string;
  /** Name of the resource. */
  readonly resource: string;
  /** `Principal.id` of the subscriber. */
  readonly principalId: string;
  /** `Visibility.digest`. @default that of a resource without a row rule */
  readonly rows?: string;
}

/** How positions are written in cursors: as 1 to 32 letters, digits, `-` and `_`, the same for the same position. */
export interface PositionTexts {
  /** The text of a position. */
  write(position: Position): string;
  /** The position of a text; undefined for a text that `write` cannot have written. */
  read(text: string): Position | undefined;
}

const decimalPositions: PositionTexts = {
  write: String,
  read: (text) => {
    const position = DECIMAL.test(text) ? Number(text) : Number.NaN;
    return Number.isSafeInteger(position) ? position : undefined;
  },
};

/**
 * - `cursor_unavailable`: malformed, of another epoch or history, too old, or given while other rows were visible
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
 * The tag of a scope: 96 bits of HMAC-SHA-256 as 16 characters, and as many more after `~` if a row rule decides what is visible.
 * It is constant for one subscription.
 * @param key secret of at least 32 bytes, the same on every node
 * @throws RangeError when the key is too short
 */
export function eventScopeTag(scope: EventCursorScope, key: Uint8Array): string {
  if (key.length < MIN_KEY_BYTES) {
    throw new RangeError(`The event cursor key needs at least ${MIN_KEY_BYTES} bytes; it has ${key.length}.`);
  }
  const { implementationId, apiVersion, resource, principalId, rows = '' } = scope;
  const text = ['event-cursor', implementationId, apiVersion, resource, principalId];
  const tag = tagOf(text, key);
  return rows === '' ? tag : `${tag}~${tagOf(['visible-rows', rows], key)}`;
}

function tagOf(text: readonly string[], key: Uint8Array): string {
  return encodeBase64url(hmac(sha256, key, utf8ToBytes(JSON.stringify(text))).subarray(0, TAG_BYTES));
}

/**
 * Formats the cursor of a position: `1.<scope tag>.<epoch>.<position>.<tag>`, without the last part if the tag is empty.
 * @param texts how the position is written. @default in decimal
 */
export function encodeEventCursor(scopeTag: string, position: EventPosition, texts?: PositionTexts): string {
  return `1.${scopeTag}.${sharedCursorText(position, texts)}`;
}

/** The part of a position's cursors that does not depend on their scope. */
export function sharedCursorText(
  { epoch, position, tag }: EventPosition,
  texts: PositionTexts = decimalPositions,
): string {
  const text = `${epoch}.${texts.write(position)}`;
  return tag === '' ? text : `${text}.${tag}`;
}

/**
 * Reads the position of a cursor that was written for the same scope. Only the holder of the log knows whether its
 * history still has the epoch, the position and the tag.
 * @param texts how the position was written. @default in decimal
 * @throws EventCursorError `cursor_scope_mismatch` when of another scope; `cursor_unavailable` when malformed, or when other rows were
 *   visible: the subscriber would never hear of rows that have become visible since
 */
export function decodeEventCursor(
  cursor: string,
  scopeTag: string,
  texts: PositionTexts = decimalPositions,
): EventPosition {
  const [, scope, rows = '', epoch, text, tag = ''] = CURSOR.exec(cursor) ?? [];
  if (scope === undefined || epoch === undefined || text === undefined) throw malformed();
  if (scope !== scopeTag.slice(0, scope.length)) {
    throw new EventCursorError(
      'cursor_scope_mismatch',
      'The event cursor is of another implementation, API version, resource or principal; take a new snapshot.',
    );
  }
  if (rows !== scopeTag.slice(scope.length)) {
    throw new EventCursorError(
      'cursor_unavailable',
      'The event cursor was given while other rows were visible; take a new snapshot.',
    );
  }
  const position = texts.read(text);
  if (position === undefined) throw malformed();
  return { epoch, position, tag };
}

const malformed = (): EventCursorError =>
  new EventCursorError('cursor_unavailable', 'The event cursor is malformed; take a new snapshot.');

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
