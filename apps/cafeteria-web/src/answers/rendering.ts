import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { createGunzip, gzip } from 'node:zlib';

const gzipAsync = promisify(gzip);

/** A copy with a buffer of its own: a part of a shared block would keep the whole block in memory. */
const exactBytes = (bytes: Uint8Array): Buffer => Buffer.from(new Uint8Array(bytes).buffer);

/** Below this many bytes compressing gains nothing. */
const MIN_COMPRESSED_BYTES = 860;

/** Bytes that exist in gzip alone; with the length of the plain form in bytes, and its SHA-256 in base64url. */
export interface CompressedContent {
  readonly compressed: Buffer;
  readonly length: number;
  readonly hash: string;
}

/**
 * One representation of one page. Text is kept in gzip alone, a seventh of its size, unless its plain form is kept too:
 * nearly every client takes gzip, and memory holds every page. Bytes are sent as they are.
 */
export class Rendering {
  /** Bytes of the plain form. */
  readonly length: number;
  /** Weak: the compressed and the plain form share it. */
  readonly etag: string;
  /** As in the header field; empty: it is the same for everybody. */
  readonly vary: string;
  /** True when clients that accept gzip get it in gzip. */
  readonly compressible: boolean;
  /** True where the plain form stays in memory once there is one in gzip. */
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
    if (isPlain) this.#plain = this.keepsPlain ? exactBytes(Buffer.from(content)) : content;
    else this.#compressing = Promise.resolve((this.#compressed = content.compressed));
    const digest = isPlain ? hash('sha256', content, 'base64url') : content.hash;
    this.etag = `W/"${digest.slice(0, 22)}"`;
    const vary = [headers['Vary'], this.compressible ? 'Accept-Encoding' : undefined];
    this.vary = vary.filter((each) => each !== undefined).join(', ');
    const varying = this.vary === '' ? {} : { Vary: this.vary };
    this.fields = Object.entries({ ...headers, ETag: this.etag, ...varying }).flat();
  }

  /** Bytes that it holds; until it is compressed, with a guess of what gzip will make of it. */
  get weight(): number {
    const compressed = this.compressible ? (this.#compressed?.length ?? Math.ceil(this.length / 5)) : 0;
    return compressed + (this.keepsPlain ? this.length : 0);
  }

  /** The form in gzip, made once off the event loop; from then on the plain one is dropped unless it stays. */
  compressed(): Promise<Buffer> {
    this.#compressing ??= compress(this.#plain ?? '').then((compressed) => {
      if (!this.keepsPlain) this.#plain = undefined;
      return (this.#compressed = compressed);
    });
    return this.#compressing;
  }

  /** The plain form; as a stream where only the one in gzip is held. */
  plain(): Buffer | Readable {
    if (this.#plain === undefined) return Readable.from([this.#compressed]).pipe(createGunzip());
    return typeof this.#plain === 'string' ? Buffer.from(this.#plain) : this.#plain;
  }
}

let last: Promise<unknown> = Promise.resolve();

/** The content in gzip, made off the event loop, one at a time: a burst must not take memory for all. */
function compress(content: string | Buffer): Promise<Buffer> {
  // Pages shrink to a seventh: one block is enough.
  const options = { level: 6, chunkSize: Math.max(1024, Math.ceil(content.length / 4)) };
  const compressed = last.then(async () => exactBytes(await gzipAsync(content, options)));
  last = compressed.catch(() => {});
  return compressed;
}
