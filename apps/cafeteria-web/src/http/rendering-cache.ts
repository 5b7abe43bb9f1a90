import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';

const gzipAsync = promisify(gzip);

/** One representation of one page, ready to be sent. */
export class Rendering {
  readonly bytes: Buffer;
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly version: string;
  #compressed: Promise<Buffer> | undefined;

  /** @param hash of the bytes in base64url, where it is known already */
  constructor(
    content: string | Buffer,
    headers: Readonly<Record<string, string>>,
    version: string,
    hash?: string,
  ) {
    this.bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
    // Weak: the compressed and the plain form share it.
    this.etag = `W/"${(hash ?? createHash('sha256').update(this.bytes).digest('base64url')).slice(0, 22)}"`;
    this.headers = headers;
    this.version = version;
  }

  /** The bytes in gzip, made once, off the event loop. */
  compressed(): Promise<Buffer> {
    this.#compressed ??= gzipAsync(this.bytes, { level: 6 });
    return this.#compressed;
  }
}

/** Rendered bytes by key, dropped when their version is no longer asked for or the memory is needed. */
export class RenderingCache {
  readonly #kept: LRUCache<string, Rendering>;

  /** @param hash of the bytes in base64url, where it is known already */
  constructor(maxBytes: number) {
    this.#kept = new LRUCache({
      maxSize: maxBytes,
      // A compressed form may come to it later; a quarter covers that.
      sizeCalculation: (rendering) => Math.ceil(rendering.bytes.length * 1.25) + 1024,
    });
  }

  /** The kept rendering of this version, or a new one. */
  get(key: string, version: string, make: () => Rendering): Rendering {
    const kept = this.#kept.get(key);
    if (kept !== undefined && kept.version === version) return kept;
    const rendering = make();
    this.#kept.set(key, rendering);
    return rendering;
  }

  /** Bytes kept at present, by the cache's own estimate. */
  get sizeBytes(): number {
    return this.#kept.calculatedSize;
  }
}
