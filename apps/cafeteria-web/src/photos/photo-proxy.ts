import { LRUCache } from 'lru-cache';
import type { Vendor } from 'menu-client';
import sharp from 'sharp';
import type { PhotoWidth } from '../render/photo-path.ts';
import type { CachedFile, DiskCache } from './disk-cache.ts';
import { FETCH_LIMITS, type FetchLimits, fetchPhoto } from './fetch-photo.ts';
import { PhotoError } from './photo-error.ts';
import type { PhotoRules } from './photo-rules.ts';

const MAX_RUNNING = 4;
const MAX_WAITING = 64;
const FAILURES = { max: 2_000, ttlMs: 60_000 };

// Only sharp's raster decoders stay enabled: nothing fetched may reach an SVG or PDF parser.
sharp.block({ operation: ['VipsForeignLoadSvg', 'VipsForeignLoadPdf', 'VipsForeignLoadMagick'] });
sharp.concurrency(1);
sharp.cache(false);

const FORMATS = new Set(['jpeg', 'png', 'webp', 'gif', 'heif']);
const MAX_PIXELS = 40_000_000;

/**
 * The photo as WebP, turned upright, at most `width` pixels wide, without metadata.
 *
 * @throws PhotoError `not_a_photo`
 */
export async function resizePhoto(bytes: Buffer, width: PhotoWidth): Promise<Buffer> {
  try {
    const image = sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error' });
    const { format } = await image.metadata();
    if (!FORMATS.has(format)) throw new PhotoError('not_a_photo', `${format} is not a photo`);
    return await image.rotate().resize({ width, withoutEnlargement: true }).webp({ quality: 76 }).toBuffer();
  } catch (error) {
    if (error instanceof PhotoError) throw error;
    throw new PhotoError('not_a_photo', 'the bytes are not a photo');
  }
}

/** Photos of the operators, fetched once, resized, kept on disk. */
export class PhotoProxy {
  readonly #cache: DiskCache;
  readonly #rules: PhotoRules;
  readonly #limits: FetchLimits;
  readonly #running = new Map<string, Promise<CachedFile>>();
  readonly #failures = new LRUCache<string, PhotoError>({ max: FAILURES.max, ttl: FAILURES.ttlMs });
  readonly #waiting: (() => void)[] = [];
  #active = 0;

  constructor(cache: DiskCache, rules: PhotoRules, limits: FetchLimits = FETCH_LIMITS) {
    this.#cache = cache;
    this.#rules = rules;
    this.#limits = limits;
  }

  /** Bytes of photos on disk. */
  get storedBytes(): number {
    return this.#cache.totalBytes;
  }

  /** The photo as WebP. @throws PhotoError */
  async get(vendor: Vendor, width: PhotoWidth, url: string): Promise<CachedFile> {
    const key = `${vendor} ${width} ${url}`;
    const kept = await this.#cache.get(key);
    if (kept !== undefined) return kept;
    const failure = this.#failures.get(key);
    if (failure !== undefined) throw failure;
    let running = this.#running.get(key);
    if (running === undefined) {
      running = this.#make(key, vendor, width, url).finally(() => this.#running.delete(key));
      this.#running.set(key, running);
    }
    return running;
  }

  async #make(key: string, vendor: Vendor, width: PhotoWidth, url: string): Promise<CachedFile> {
    await this.#enter();
    try {
      const bytes = await fetchPhoto(url, vendor, this.#rules, this.#limits);
      return await this.#cache.set(key, await resizePhoto(bytes, width));
    } catch (error) {
      if (error instanceof PhotoError) this.#failures.set(key, error);
      throw error;
    } finally {
      this.#leave();
    }
  }

  async #enter(): Promise<void> {
    if (this.#active < MAX_RUNNING) {
      this.#active += 1;
      return;
    }
    if (this.#waiting.length >= MAX_WAITING) throw new PhotoError('overloaded', 'too many photos at once');
    // `#leave` passes its place on, so the count stays the same.
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#active -= 1;
    else next();
  }
}
