import { createHash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';

interface Entry {
  readonly bytes: number;
  usedAtMs: number;
}

export interface CachedFile {
  readonly bytes: Buffer;
  /** Changes when the bytes do; letters, digits, `-` and `_`. */
  readonly version: string;
}

/** Kept in memory while the folder cannot be written. */
const MEMORY_MAX_BYTES = 16 * 1024 * 1024;

const KEPT_NAME = /^[0-9a-f]{64}$/;
/** A write that a crash interrupted. */
const TEMPORARY_NAME = /^\.[0-9a-f]{8}-[0-9a-f-]{27}$/;

/**
 * Files by key in one folder; the least recently used are deleted when the limit is reached. Survives restarts. Whatever
 * happens to the folder, no call fails: what cannot be written is kept in memory, what cannot be read is not there.
 */
export class DiskCache implements AsyncDisposable {
  readonly #folder: string;
  readonly #maxBytes: number;
  readonly #nowMs: () => number;
  readonly #onTrouble: (error: unknown) => void;
  readonly #entries = new Map<string, Entry>();
  readonly #memory = new LRUCache<string, CachedFile>({
    maxSize: MEMORY_MAX_BYTES,
    sizeCalculation: ({ bytes }) => Math.max(1, bytes.length),
  });
  #totalBytes = 0;
  #inTrouble = false;
  readonly #writing = new Set<Promise<boolean>>();
  #isClosed = false;

  private constructor(
    folder: string,
    maxBytes: number,
    nowMs: () => number,
    onTrouble: (error: unknown) => void,
  ) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
    this.#nowMs = nowMs;
    this.#onTrouble = onTrouble;
  }

  /** @param onTrouble called when the folder cannot be used, once until it can be again */
  static async open(
    folder: string,
    maxBytes: number,
    nowMs: () => number,
    onTrouble: (error: unknown) => void = () => {},
  ): Promise<DiskCache> {
    const cache = new DiskCache(folder, maxBytes, nowMs, onTrouble);
    await cache.#quietly(async () => {
      await mkdir(folder, { recursive: true });
      for (const name of await readdir(folder)) await cache.#find(name);
    });
    await cache.#shrink();
    return cache;
  }

  get totalBytes(): number {
    return this.#totalBytes;
  }

  async get(key: string): Promise<CachedFile | undefined> {
    const name = nameOf(key);
    const entry = this.#entries.get(name);
    if (entry === undefined) return this.#memory.get(name);
    try {
      const bytes = await readRegular(join(this.#folder, name));
      const nowMs = this.#nowMs();
      // The time of last use survives a restart; within an hour is close enough.
      if (nowMs - entry.usedAtMs > 3_600_000)
        await utimes(join(this.#folder, name), nowMs / 1000, nowMs / 1000).catch(() => {});
      entry.usedAtMs = nowMs;
      return { bytes, version: versionOf(bytes) };
    } catch {
      this.#forget(name);
      return undefined;
    }
  }

  async set(key: string, bytes: Buffer): Promise<CachedFile> {
    const name = nameOf(key);
    const file = { bytes, version: versionOf(bytes) };
    this.#forget(name);
    if (this.#isClosed) return file;
    const writing = this.#quietly(() => this.#write(name, bytes));
    this.#writing.add(writing);
    const written = await writing.finally(() => this.#writing.delete(writing));
    if (!written) {
      this.#memory.set(name, file);
      return file;
    }
    this.#entries.set(name, { bytes: bytes.length, usedAtMs: this.#nowMs() });
    this.#totalBytes += bytes.length;
    await this.#shrink();
    return file;
  }

  async delete(key: string): Promise<void> {
    const name = nameOf(key);
    const known = this.#entries.has(name);
    this.#forget(name);
    if (known) await rm(join(this.#folder, name), { force: true }).catch(() => {});
  }

  /** Waits for what is being written; afterwards nothing is, though photos may still be on their way. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#writing);
  }

  /** Takes up a file that is ours, and removes one that was never finished; others' files are left alone. */
  async #find(name: string): Promise<void> {
    const path = join(this.#folder, name);
    if (TEMPORARY_NAME.test(name)) await rm(path, { force: true });
    if (!KEPT_NAME.test(name)) return;
    const found = await lstat(path);
    if (!found.isFile()) return;
    this.#entries.set(name, { bytes: found.size, usedAtMs: found.mtimeMs });
    this.#totalBytes += found.size;
  }

  async #write(name: string, bytes: Buffer): Promise<void> {
    const temporary = join(this.#folder, `.${randomUUID()}`);
    try {
      await mkdir(this.#folder, { recursive: true });
      await writeFile(temporary, bytes, { flag: 'wx' });
      await rename(temporary, join(this.#folder, name));
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => {});
      throw error;
    }
  }

  /** @returns whether it worked */
  async #quietly(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      this.#inTrouble = false;
      return true;
    } catch (error) {
      if (!this.#inTrouble) this.#onTrouble(error);
      this.#inTrouble = true;
      return false;
    }
  }

  #forget(name: string): void {
    this.#totalBytes -= this.#entries.get(name)?.bytes ?? 0;
    this.#entries.delete(name);
    this.#memory.delete(name);
  }

  /** Shrinks to nine tenths of the limit, so that not every write has to make room. */
  async #shrink(): Promise<void> {
    if (this.#totalBytes <= this.#maxBytes) return;
    const oldestFirst = [...this.#entries].sort(([, a], [, b]) => a.usedAtMs - b.usedAtMs);
    for (const [name] of oldestFirst) {
      if (this.#totalBytes <= this.#maxBytes * 0.9) break;
      this.#forget(name);
      await rm(join(this.#folder, name), { force: true }).catch(() => {});
    }
  }
}

/** Never follows a link out of the folder, and never waits for a pipe. */
async function readRegular(path: string): Promise<Buffer> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!(await file.stat()).isFile()) throw new Error('not a file');
    const bytes = await file.readFile();
    if (bytes.length === 0) throw new Error('nothing in it');
    return bytes;
  } finally {
    await file.close();
  }
}

const nameOf = (key: string): string => createHash('sha256').update(key).digest('hex');
const versionOf = (bytes: Buffer): string =>
  createHash('sha256').update(bytes).digest('base64url').slice(0, 16);
