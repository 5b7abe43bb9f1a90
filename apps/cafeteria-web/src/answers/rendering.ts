import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { createGunzip, gzip } from 'node:zlib';

const gzipAsync = promisify(gzip);

/** A copy with its own buffer: a slice of a shared block would keep the whole block in memory. */
const exactBytes = (bytes: Uint8Array): Buffer => Buffer.from(new Uint8Array(bytes).buffer);

/** Below this many bytes compressing gains nothing. */
const MIN_COMPRESSED_BYTES = 860;

/** Content that exists only as gzip, with the plain form's length in bytes and its SHA-256 in base64url. */
export interface CompressedContent {
  readonly compressed: Buffer;
  readonly length: number;
  readonly hash: string;
}

/**
 * One representation of one page. Unless the plain form is kept too, text is kept only as gzip, a seventh of its size:
 * nearly every client accepts gzip, and memory holds every page. Bytes are sent as they are.
 */
export class Rendering {
  /** Bytes of the plain form. */
  readonly length: number;
  /** Weak: the compressed and the plain form share it. */
  readonly etag: string;
  /** As in the header field; empty when it is the same for everybody. */
  readonly vary: string;
  /** True when clients that accept gzip get it in gzip. */
  readonly compressible: boolean;
  /** True when the plain form stays in memory after compression. */
  readonly keepsPlain: boolean;
  /** Header fields of every form, names and values alternating, as node:http takes them. */
  readonly fields: readonly string[];
  #plain: string | Buffer | undefined;
  #compressed: Buffer | undefined;
  #compressing: Promise<Buffer> | undefined;

  constructor(
    content: string | Buffer | CompressedContent,
    headers: Readonly<Record<string, string>>,
    keepPlain = false,
  ) {
    const isPlain = typeof content === 'string' || Buffer.isBuffer(content);
    this.length = isPlain ? Buffer.byteLength(content) : content.length;
    this.compressible = !isPlain || (typeof content === 'string' && this.length >= MIN_COMPRESSED_BYTES);
    this.keepsPlain = keepPlain || !this.compressible;
    if (isPlain) this.#plain = typeof content === 'string' ? content : exactBytes(content);
    else this.#compressing = Promise.resolve((this.#compressed = content.compressed));
    const digest = isPlain ? hash('sha256', content, 'base64url') : content.hash;
    this.etag = `W/"${digest.slice(0, 22)}"`;
    const vary = [headers['Vary'], this.compressible ? 'Accept-Encoding' : undefined];
    this.vary = vary.filter((each) => each !== undefined).join(', ');
    const varying = this.vary === '' ? {} : { Vary: this.vary };
    this.fields = Object.entries({ ...headers, ETag: this.etag, ...varying }).flat();
  }

  /** Bytes held in memory; until it is compressed, with an estimate of the compressed size. */
  get weight(): number {
    const compressed = this.compressible ? (this.#compressed?.length ?? Math.ceil(this.length / 5)) : 0;
    return compressed + (this.keepsPlain ? this.#plainBytes : 0);
  }

  get #plainBytes(): number {
    if (typeof this.#plain !== 'string') return this.length;
    // Text of ASCII alone takes a byte a character, other text two.
    return this.length === this.#plain.length ? this.length : 2 * this.#plain.length;
  }

  /** The gzip form, made once, off the event loop. The plain form is then dropped unless `keepsPlain`. */
  compressed(): Promise<Buffer> {
    this.#compressing ??= compress(this.#plain ?? '').then((compressed) => {
      if (!this.keepsPlain) this.#plain = undefined;
      return (this.#compressed = compressed);
    });
    return this.#compressing;
  }

  /** The plain form; a stream when only the gzip form is held. Text stays text: node:http sends it in one write with its head. */
  plain(): string | Buffer | Readable {
    return this.#plain ?? Readable.from([this.#compressed]).pipe(createGunzip());
  }
}

let last: Promise<unknown> = Promise.resolve();

/** Compresses off the event loop, one content at a time, so that a burst does not need memory for all at once. */
function compress(content: string | Buffer): Promise<Buffer> {
  // Pages shrink to a seventh: one block is enough.
  const options = { level: 6, chunkSize: Math.max(1024, Math.ceil(content.length / 4)) };
  const compressed = last.then(async () => exactBytes(await gzipAsync(content, options)));
  last = compressed.catch(() => {});
  return compressed;
}
