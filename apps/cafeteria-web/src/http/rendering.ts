import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { createGunzip, gunzip } from 'node:zlib';
import { compress } from './gzip-queue.ts';

const gunzipAsync = promisify(gunzip);

/** Below this many bytes compressing gains nothing. */
const MIN_COMPRESSED_BYTES = 860;

/** Above this many bytes the plain form is never held whole. */
const MAX_WHOLE_BYTES = 1024 * 1024;

/** Bytes that exist in gzip alone. */
export interface CompressedContent {
  readonly compressed: Buffer;
  /** Of the plain form. */
  readonly length: number;
  /** Of the plain form, SHA-256 in base64url. */
  readonly hash: string;
}

/** One form of a rendering as it is sent. */
export interface Form {
  readonly body: Buffer;
  /** Header fields, names and values in turns, as node:http takes them. */
  readonly fields: string[];
}

/**
 * One representation of one page, ready to be sent. Text is kept in gzip alone, a seventh of its size, unless its plain
 * form stays as well: nearly every client takes gzip, and memory holds every page. Bytes are sent as they are.
 */
export class Rendering {
  /** Bytes of the plain form. */
  readonly length: number;
  readonly etag: string;
  readonly version: string;
  /** True for what is sent in gzip to those who take it. */
  readonly compressible: boolean;
  /** Header fields that every form has, names and values in turns. */
  readonly fields: readonly string[];
  readonly #keepPlain: boolean;
  #text: string | undefined;
  #plain: Buffer | undefined;
  #compressed: Buffer | undefined;
  #compressing: Promise<Buffer> | undefined;

  /** @param keepPlain whether the plain form stays beside the one in gzip */
  constructor(
    content: string | Buffer | CompressedContent,
    headers: Readonly<Record<string, string>>,
    version: string,
    keepPlain = false,
  ) {
    this.version = version;
    let digest: string;
    if (typeof content === 'string') {
      this.length = Buffer.byteLength(content);
      this.compressible = this.length >= MIN_COMPRESSED_BYTES;
      this.#text = content;
      digest = hash('sha256', content, 'base64url');
    } else if (Buffer.isBuffer(content)) {
      this.length = content.length;
      this.compressible = false;
      this.#plain = content;
      digest = hash('sha256', content, 'base64url');
    } else {
      this.length = content.length;
      this.compressible = true;
      this.#compressed = content.compressed;
      digest = content.hash;
    }
    this.#keepPlain = keepPlain || !this.compressible;
    if (this.#keepPlain) {
      this.#plain ??= exactBytes(this.#text ?? '');
      this.#text = undefined;
    }
    // Weak: the compressed and the plain form share it.
    this.etag = `W/"${digest.slice(0, 22)}"`;
    const vary = [headers['Vary'], this.compressible ? 'Accept-Encoding' : undefined];
    const named = vary.filter((each) => each !== undefined).join(', ');
    this.fields = Object.entries({
      ...headers,
      ETag: this.etag,
      ...(named === '' ? {} : { Vary: named }),
    }).flat();
  }

  /** Bytes that it holds, its own guess of what gzip will make of them included. */
  get weight(): number {
    const compressed = this.compressible ? (this.#compressed?.length ?? Math.ceil(this.length / 5)) : 0;
    return compressed + (this.#keepPlain ? this.length : 0);
  }

  /** The form that is ready to be sent; undefined while it has to be made first. */
  ready(gzip: boolean): Form | undefined {
    const compressed = gzip && this.compressible;
    const body = compressed ? this.#compressed : this.#plain;
    if (body === undefined) return undefined;
    const fields = [...this.fields, 'Content-Length', String(body.length)];
    if (compressed) fields.push('Content-Encoding', 'gzip');
    return { body, fields };
  }

  /** Makes the form in gzip once, off the event loop. */
  compressed(): Promise<Buffer> {
    return (this.#compressing ??= this.#compress());
  }

  /** Lets go of the plain form, where it does not stay, as soon as there is one in gzip. */
  shrink(): void {
    // Where that fails, the request that needs it fails with it.
    if (!this.#keepPlain) this.compressed().catch(() => {});
  }

  /** The plain bytes; as a stream where they are too many to be held whole. */
  async plain(): Promise<Buffer | Readable> {
    if (this.#plain !== undefined) return this.#plain;
    if (this.#text !== undefined) return Buffer.from(this.#text);
    const compressed = this.#compressed ?? Buffer.alloc(0);
    if (this.length <= MAX_WHOLE_BYTES) return gunzipAsync(compressed);
    return Readable.from([compressed]).pipe(createGunzip());
  }

  async #compress(): Promise<Buffer> {
    this.#compressed ??= await compress(this.#plain ?? this.#text ?? '');
    this.#text = undefined;
    return this.#compressed;
  }
}

/** Bytes of their own: a part of the shared pool would hold all of it. */
function exactBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}
