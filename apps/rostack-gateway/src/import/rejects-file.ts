import { type FileHandle, open } from 'node:fs/promises';
import type { RefusedLine, RejectsSink } from './import-options.ts';

/** Refused lines as NDJSON: `{ line, code, message, pointer?, text }`. */
export class RejectsFile implements RejectsSink, AsyncDisposable {
  readonly #path: string;
  #file: FileHandle | undefined;
  #bytes = 0;

  constructor(path: string) {
    this.#path = path;
  }

  get bytes(): number {
    return this.#bytes;
  }

  async start(keptBytes: number): Promise<void> {
    this.#file = await open(this.#path, keptBytes > 0 ? 'r+' : 'w', 0o600);
    await this.#file.truncate(keptBytes);
    this.#bytes = keptBytes;
  }

  async write(refused: readonly RefusedLine[]): Promise<void> {
    if (refused.length === 0 || this.#file === undefined) return;
    const bytes = Buffer.from(refused.map((line) => `${JSON.stringify(line)}\n`).join(''));
    await this.#file.write(bytes, 0, bytes.length, this.#bytes);
    this.#bytes += bytes.length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file?.close();
  }
}

/** Takes refused lines and keeps none. */
export const NO_REJECTS: RejectsSink = { bytes: 0, start: async () => {}, write: async () => {} };
