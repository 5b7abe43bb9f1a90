import { type FileHandle, open } from 'node:fs/promises';
import type { LineFault } from '../admin/changes/json-line.ts';

/** A line that was not imported. */
export interface RefusedLine extends LineFault {
  readonly line: number;
  /** The line itself, to be corrected and imported again; undefined if it is too long to keep. */
  readonly text: string | undefined;
}

/** Collects refused lines. */
export interface RejectsSink {
  /** Bytes written so far, where a resumed import continues. */
  readonly bytes: number;
  /** Starts writing after the lines that an earlier run wrote before its last checkpoint. */
  start(keptBytes: number): Promise<void>;
  write(refused: readonly RefusedLine[]): Promise<void>;
}

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

/** Discards refused lines. */
export const NO_REJECTS: RejectsSink = { bytes: 0, start: async () => {}, write: async () => {} };
