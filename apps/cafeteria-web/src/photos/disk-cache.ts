import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

interface Entry {
  readonly bytes: number;
  usedAtMs: number;
}

export interface CachedFile {
  readonly bytes: Buffer;
  /** Changes when the file does. */
  readonly etag: string;
}

/** Files by key in one folder; the least recently used are deleted when the limit is reached. Survives restarts. */
export class DiskCache {
  readonly #folder: string;
  readonly #maxBytes: number;
  readonly #nowMs: () => number;
  readonly #entries = new Map<string, Entry>();
  #totalBytes = 0;

  private constructor(folder: string, maxBytes: number, nowMs: () => number) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
    this.#nowMs = nowMs;
  }

  static async open(folder: string, maxBytes: number, nowMs: () => number): Promise<DiskCache> {
    const cache = new DiskCache(folder, maxBytes, nowMs);
    await mkdir(folder, { recursive: true });
    for (const name of await readdir(folder)) {
      const path = join(folder, name);
      // Any other name is a write that a crash interrupted.
      if (!/^[0-9a-f]{64}$/.test(name)) await rm(path, { force: true, recursive: true });
      else {
        const { size, mtimeMs } = await stat(path);
        cache.#entries.set(name, { bytes: size, usedAtMs: mtimeMs });
        cache.#totalBytes += size;
      }
    }
    await cache.#shrink();
    return cache;
  }

  get totalBytes(): number {
    return this.#totalBytes;
  }

  async get(key: string): Promise<CachedFile | undefined> {
    const name = nameOf(key);
    const entry = this.#entries.get(name);
    if (entry === undefined) return undefined;
    try {
      const bytes = await readFile(join(this.#folder, name));
      const nowMs = this.#nowMs();
      // The time of last use survives a restart; within an hour is close enough.
      if (nowMs - entry.usedAtMs > 3_600_000)
        await utimes(join(this.#folder, name), nowMs / 1000, nowMs / 1000);
      entry.usedAtMs = nowMs;
      return { bytes, etag: etagOf(bytes) };
    } catch {
      this.#forget(name);
      return undefined;
    }
  }

  async set(key: string, bytes: Buffer): Promise<CachedFile> {
    const name = nameOf(key);
    const temporary = join(this.#folder, `.${randomUUID()}`);
    await writeFile(temporary, bytes);
    await rename(temporary, join(this.#folder, name));
    this.#forget(name);
    this.#entries.set(name, { bytes: bytes.length, usedAtMs: this.#nowMs() });
    this.#totalBytes += bytes.length;
    await this.#shrink();
    return { bytes, etag: etagOf(bytes) };
  }

  #forget(name: string): void {
    this.#totalBytes -= this.#entries.get(name)?.bytes ?? 0;
    this.#entries.delete(name);
  }

  /** Shrinks to nine tenths of the limit, so that not every write has to make room. */
  async #shrink(): Promise<void> {
    if (this.#totalBytes <= this.#maxBytes) return;
    const oldestFirst = [...this.#entries].sort(([, a], [, b]) => a.usedAtMs - b.usedAtMs);
    for (const [name] of oldestFirst) {
      if (this.#totalBytes <= this.#maxBytes * 0.9) break;
      this.#forget(name);
      await rm(join(this.#folder, name), { force: true });
    }
  }
}

const nameOf = (key: string): string => createHash('sha256').update(key).digest('hex');
const etagOf = (bytes: Buffer): string =>
  `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
