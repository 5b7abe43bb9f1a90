import { Buffer } from 'node:buffer';
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
} from 'node:crypto';
import {
  type AnyDiscoveryDocument,
  type EventPosition,
  encodeEventCursor,
  eventScopeTag,
  type PageKey,
  type Position,
  type PositionTexts,
  type Principal,
  parseTrustedJson,
} from 'rostack-core';
import { boundedCache } from '../../guard/bounded-cache.ts';
import type { CursorKeys, PageCursorKeyring } from '../../options/cursor-keys.ts';
import { HttpProblem } from '../problem/http-problem.ts';

const FORMAT = 2;
const HEADER_BYTES = 2;
const NONCE_BYTES = 12;
const NONCE_KEY_BYTES = 32;
const TAG_BYTES = 16;
const MAX_TEXT_LENGTH = 8_192;
const ALGORITHM = 'aes-256-gcm';

/** The place at which the next page of a chain begins. */
export interface PageCursorState {
  readonly epoch: string;
  /** The snapshot's position. */
  readonly at: Position;
  /** The tag of `at`, which pins the history up to it. */
  readonly tag: string;
  readonly after: PageKey;
}

/** The content of a cursor: expiry, epoch, position, tag, and the key of the last record. */
type Payload = readonly [number, string, Position, string, string, readonly SealedValue[]];
/** `[]` stands for a missing field: sort values are never arrays. */
type SealedValue = null | boolean | number | string | readonly [];

/**
 * Seals and opens page cursors: base64url of format, key id, nonce and AES-256-GCM ciphertext, with the scope as additional data. The nonce
 * is an HMAC of scope and content, so that equal places have equal cursors, and different places different nonces. A cursor that opens was
 * sealed by us, so its content is not checked again.
 */
export class PageCursorSeal {
  readonly #currentId: number;
  readonly #currentKey: KeyObject;
  readonly #keys: ReadonlyMap<number, KeyObject>;
  readonly #nonceKey: KeyObject;

  constructor({ current, previous = [] }: PageCursorKeyring) {
    this.#currentId = current.id;
    // A key object is four times as fast as raw bytes.
    this.#currentKey = createSecretKey(current.bytes);
    const nonceKey = hkdfSync('sha256', current.bytes, '', 'page-cursor nonce', NONCE_KEY_BYTES);
    this.#nonceKey = createSecretKey(new Uint8Array(nonceKey));
    const older = previous.toReversed().map(({ id, bytes }) => [id, createSecretKey(bytes)] as const);
    this.#keys = new Map([...older, [current.id, this.#currentKey]]);
  }

  /** @param scope what the cursor is bound to: it opens only with the same text */
  seal({ epoch, at, tag, after }: PageCursorState, scope: string, expiresAtMs: number): string {
    const values = after.values.map((value): SealedValue => (value === undefined ? [] : value));
    const payload: Payload = [expiresAtMs, epoch, at, tag, after.id, values];
    const content = JSON.stringify(payload);
    const nonce = this.#nonceOf(scope, content);
    const cipher = createCipheriv(ALGORITHM, this.#currentKey, nonce).setAAD(Buffer.from(scope));
    const text = cipher.update(content, 'utf8');
    // In GCM this returns no further bytes, but computes the tag.
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

  /** The length of the scope delimits the content, so that different pairs have different texts. */
  #nonceOf(scope: string, content: string): Buffer {
    const mac = createHmac('sha256', this.#nonceKey).update(`${scope.length} ${scope}${content}`);
    return mac.digest().subarray(0, NONCE_BYTES);
  }

  #payloadOf(cursor: string, scope: string): Payload | undefined {
    if (cursor.length > MAX_TEXT_LENGTH) return undefined;
    const bytes = Buffer.from(cursor, 'base64url');
    // Buffer ignores characters other than base64url.
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

/** What cursors are bound to, in addition to the implementation and its API version. */
export interface CursorScope {
  readonly resource: string;
  readonly principal: Principal;
  /** `Visibility.digest`: a cursor is invalid once its principal may see other rows. */
  readonly rows: string;
}

/** What a page cursor is bound to. */
export interface PageScope extends CursorScope {
  /** Equal for queries with the same meaning. */
  readonly query: string;
}

const MAX_CACHED_TAGS = 10_000;
const PERIOD_MS = 300_000;
/** The least lifetime of a page cursor; a store that keeps less history ends chains earlier. */
export const PAGE_CURSOR_LIFETIME_MS = 900_000;

/** Writes and reads the cursors of one implementation (protocol section 10). */
export class Cursors {
  readonly #implementationId: string;
  readonly #apiVersion: string;
  readonly #eventKey: Uint8Array;
  readonly #seal: PageCursorSeal;
  readonly #eventTags = boundedCache<string>(MAX_CACHED_TAGS);

  constructor({ id, api_version }: AnyDiscoveryDocument['implementation'], { pages, events }: CursorKeys) {
    this.#implementationId = id;
    this.#apiVersion = api_version;
    this.#eventKey = events;
    this.#seal = new PageCursorSeal(pages);
  }

  /** Pages made within one period may be sent again, since their cursors live at least as long as required. */
  periodOf(nowMs: number): number {
    return Math.floor(nowMs / PERIOD_MS);
  }

  /** Seals a cursor that lives for 15 minutes after the end of the current period. */
  encodePage(place: PageCursorState, scope: PageScope, nowMs: number): string {
    const periodEndMs = (this.periodOf(nowMs) + 1) * PERIOD_MS;
    return this.#seal.seal(place, this.#scopeText(scope), periodEndMs + PAGE_CURSOR_LIFETIME_MS);
  }

  /** @throws HttpProblem invalid-cursor */
  decodePage(cursor: string, scope: PageScope, nowMs: number): PageCursorState {
    return this.#seal.open(cursor, this.#scopeText(scope), nowMs);
  }

  /** @param texts how positions are written; undefined: in decimal */
  encodeEvent(
    position: EventPosition,
    { resource, principal, rows }: CursorScope,
    texts: PositionTexts | undefined,
  ): string {
    const key = `${resource} ${rows} ${principal.id}`;
    let tag = this.#eventTags.get(key);
    if (tag === undefined) {
      const scope = { implementationId: this.#implementationId, apiVersion: this.#apiVersion };
      tag = eventScopeTag({ ...scope, resource, principalId: principal.id, rows }, this.#eventKey);
      this.#eventTags.set(key, tag);
    }
    return encodeEventCursor(tag, position, texts);
  }

  #scopeText({ resource, principal, rows, query }: PageScope): string {
    return JSON.stringify([
      'page-cursor',
      this.#implementationId,
      this.#apiVersion,
      resource,
      principal.id,
      rows,
      query,
    ]);
  }
}
