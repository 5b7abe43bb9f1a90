import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';

const gzipAsync = promisify(gzip);
const gunzipAsync = promisify(gunzip);

/** Below this many bytes compressing gains nothing. */
const MIN_COMPRESSED_BYTES = 860;

/** How long a rendering is shown before its data are looked at again. */
const RECENT_MS = 30_000;

/**
 * One representation of one page, ready to be sent. Kept in gzip alone, a seventh of its size: nearly every client takes
 * it so, and memory holds every page.
 */
export class Rendering {
  /** Bytes of the plain form. */
  readonly length: number;
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly version: string;
  /** When its version was last compared with the data's. */
  checkedAtMs = Number.NEGATIVE_INFINITY;
  #plain: Buffer | undefined;
  #compressed: Buffer | undefined;
  #compressing: Promise<Buffer> | undefined;

  /** @param hash of the bytes in base64url, where it is known already */
  constructor(
    content: string | Buffer,
    headers: Readonly<Record<string, string>>,
    version: string,
    hash?: string,
  ) {
    const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
    this.length = bytes.length;
    // Weak: the compressed and the plain form share it.
    this.etag = `W/"${(hash ?? createHash('sha256').update(bytes).digest('base64url')).slice(0, 22)}"`;
    this.headers = headers;
    this.version = version;
    this.#plain = bytes;
  }

  get compressible(): boolean {
    return this.length >= MIN_COMPRESSED_BYTES;
  }

  /** The plain bytes; at once where they are still held. */
  plain(): Buffer | Promise<Buffer> {
    return this.#plain ?? gunzipAsync(this.#compressed ?? Buffer.alloc(0));
  }

  /** The bytes in gzip, made once, off the event loop. */
  compressed(): Buffer | Promise<Buffer> {
    return this.#compressed ?? (this.#compressing ??= this.#compress());
  }

  async #compress(): Promise<Buffer> {
    this.#compressed = await gzipAsync(this.#plain ?? Buffer.alloc(0), { level: 6 });
    this.#plain = undefined;
    return this.#compressed;
  }
}

/** Renderings by key, dropped when their version is no longer asked for or the memory is needed. */
export class RenderingCache {
  readonly #kept: LRUCache<string, Rendering>;

  constructor(maxBytes: number) {
    this.#kept = new LRUCache({
      maxSize: maxBytes,
      // A page in gzip is about a seventh of itself; its key, tag and headers are some hundred bytes.
      sizeCalculation: (rendering) =>
        600 + (rendering.compressible ? Math.ceil(rendering.length / 5) : rendering.length),
    });
  }

  /** The kept rendering of this version. */
  find(key: string, version: string): Rendering | undefined {
    const kept = this.#kept.get(key);
    return kept?.version === version ? kept : undefined;
  }

  /** The rendering whose version was compared moments ago: it is shown without asking for the data again. */
  recent(key: string, nowMs: number): Rendering | undefined {
    const kept = this.#kept.get(key);
    return kept !== undefined && nowMs - kept.checkedAtMs < RECENT_MS ? kept : undefined;
  }

  /** The kept rendering of this version, or a new one. */
  get(key: string, version: string, nowMs: number, make: () => Rendering): Rendering {
    const kept = this.find(key, version);
    if (kept !== undefined) {
      kept.checkedAtMs = nowMs;
      return kept;
    }
    const rendering = make();
    rendering.checkedAtMs = nowMs;
    this.#kept.set(key, rendering);
    if (rendering.compressible) void rendering.compressed();
    return rendering;
  }

  /** Bytes kept at present, by the cache's own estimate. */
  get sizeBytes(): number {
    return this.#kept.calculatedSize;
  }
}
