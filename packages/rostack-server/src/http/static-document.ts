import { hash } from 'node:crypto';
import { matchesEtag } from 'rostack-core';
import type { Exchange, Reply } from './exchange.ts';

/** A document that stays the same as long as the app lives: its bytes and header fields are made once. */
export class StaticDocument {
  readonly #body: Uint8Array<ArrayBuffer>;
  readonly #etag: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(value: unknown, mediaType: string, cacheControl: string) {
    this.#body = Buffer.from(JSON.stringify(value));
    this.#etag = `"${hash('sha256', this.#body, 'base64url')}"`;
    this.#headers = { 'Content-Type': mediaType, 'Cache-Control': cacheControl, ETag: this.#etag };
  }

  /** 200 with the document, or 304 when the client has it (RFC 9110 section 13.1.2). */
  answer(exchange: Exchange): Reply {
    const ifNoneMatch = exchange.c.req.header('if-none-match');
    if (ifNoneMatch !== undefined && matchesEtag(ifNoneMatch, this.#etag)) {
      const { 'Content-Type': _type, ...headers } = this.#headers;
      return { status: 304, headers, body: null };
    }
    return { status: 200, headers: this.#headers, body: this.#body };
  }
}
