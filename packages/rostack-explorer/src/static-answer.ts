import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { formatEtag, matchesEtag } from 'rostack-core';

const HASH_LENGTH = 20;
const SMALLEST_COMPRESSED_BYTES = 1_024;

const compress = promisify(gzip);

/** A body that never changes, kept plain and, once it is asked for, in gzip; answered with an entity tag and revalidated by it. */
export class StaticAnswer {
  readonly #headers: Readonly<Record<string, string>>;
  readonly #plain: Variant;
  readonly #hash: string;
  #gzip: Promise<Variant> | undefined;

  constructor(body: string | Uint8Array, headers: Readonly<Record<string, string>>) {
    const bytes = Buffer.from(body);
    const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, HASH_LENGTH);
    this.#headers = { ...headers, 'X-Content-Type-Options': 'nosniff', Vary: 'Accept-Encoding' };
    this.#plain = { bytes, etag: formatEtag(hash), headers: {} };
    this.#hash = hash;
  }

  async answer(request: Request): Promise<Response> {
    const { bytes, etag, headers } = await this.#variantFor(request.headers.get('accept-encoding') ?? '');
    const common = { ...this.#headers, ETag: etag };
    const known = request.headers.get('if-none-match') ?? undefined;
    if (known !== undefined && matchesEtag(known, etag)) {
      return new Response(null, { status: 304, headers: common });
    }
    return new Response(bytes, { headers: { ...common, ...headers } });
  }

  #variantFor(acceptEncoding: string): Variant | Promise<Variant> {
    const accepts = /(?:^|,)\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))[\d.]+\s*)?(?:,|$)/i.test(
      acceptEncoding,
    );
    if (!accepts || this.#plain.bytes.length < SMALLEST_COMPRESSED_BYTES) return this.#plain;
    this.#gzip ??= this.#compressed();
    return this.#gzip;
  }

  async #compressed(): Promise<Variant> {
    return {
      bytes: await compress(this.#plain.bytes, { level: 9 }),
      etag: formatEtag(`${this.#hash}-gzip`),
      headers: { 'Content-Encoding': 'gzip' },
    };
  }
}

interface Variant {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
}
