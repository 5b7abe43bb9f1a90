import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createGzip } from 'node:zlib';
import type { CompressedContent } from '../rendering.ts';

/** Compresses a text piece by piece, off the event loop; the whole plain text is never in memory. */
export class GzipText {
  readonly #gzip = createGzip({ level: 6 });
  readonly #ended: Promise<unknown>;
  readonly #hash = createHash('sha256');
  readonly #parts: Buffer[] = [];
  #length = 0;

  constructor() {
    this.#gzip.on('data', (part: Buffer) => this.#parts.push(part));
    this.#ended = once(this.#gzip, 'end');
  }

  /** Resolves once there is room for more. */
  async write(piece: string | Buffer): Promise<void> {
    const bytes = typeof piece === 'string' ? Buffer.from(piece, 'utf8') : piece;
    this.#hash.update(bytes);
    this.#length += bytes.length;
    if (!this.#gzip.write(bytes)) await once(this.#gzip, 'drain');
  }

  async end(): Promise<CompressedContent> {
    this.#gzip.end();
    await this.#ended;
    return {
      compressed: Buffer.concat(this.#parts),
      length: this.#length,
      hash: this.#hash.digest('base64url'),
    };
  }
}
