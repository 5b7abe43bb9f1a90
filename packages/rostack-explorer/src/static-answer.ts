import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { formatEtag, matchesEtag } from 'rostack-core';

const HASH_LENGTH = 20;
const SMALLEST_COMPRESSED_BYTES = 1_024;

/** A body that never changes, kept plain and in gzip, answered with an entity tag and revalidated by it. */
export class StaticAnswer {
  readonly #headers: Readonly<Record<string, string>>;
  readonly #plain: Variant;
  readonly #gzip: Variant | undefined;

  constructor(body: string | Uint8Array, headers: Readonly<Record<string, string>>) {
    const bytes = Buffer.from(body);
    const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, HASH_LENGTH);
    this.#headers = { ...headers, 'X-Content-Type-Options': 'nosniff', Vary: 'Accept-Encoding' };
    this.#plain = { bytes, etag: formatEtag(hash), headers: {} };
    this.#gzip =
      bytes.length < SMALLEST_COMPRESSED_BYTES
        ? undefined
        : {
            bytes: gzipSync(bytes, { level: 9 }),
            etag: formatEtag(`${hash}-gzip`),
            headers: { 'Content-Encoding': 'gzip' },
          };
  }

  answer(request: Request): Response {
    const { bytes, etag, headers } = this.#variantFor(request.headers.get('accept-encoding') ?? '');
    const common = { ...this.#headers, ETag: etag };
    const known = request.headers.get('if-none-match') ?? undefined;
    if (known !== undefined && matchesEtag(known, etag)) {
      return new Response(null, { status: 304, headers: common });
    }
    return new Response(bytes, { headers: { ...common, ...headers } });
  }

  #variantFor(acceptEncoding: string): Variant {
    const accepts = /(?:^|,)\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))[\d.]+\s*)?(?:,|$)/i.test(
      acceptEncoding,
    );
    return accepts && this.#gzip !== undefined ? this.#gzip : this.#plain;
  }
}

interface Variant {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
}
