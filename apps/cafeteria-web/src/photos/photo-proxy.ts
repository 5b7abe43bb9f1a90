import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Vendor } from 'menu-client';
import sharp from 'sharp';
import type { CachedFile, DiskCache } from './disk-cache.ts';
import { FETCH_LIMITS, type FetchedPhoto, type FetchLimits, requestPhoto } from './fetch-photo.ts';
import { isNearlyWhite } from './nearly-white.ts';
import { PhotoError } from './photo-error.ts';
import type { PhotoRules } from './photo-rules.ts';
import { PhotoShelf } from './photo-shelf.ts';
import {
  nameOf,
  PHOTO_VARIANTS,
  type PhotoFormat,
  type PhotoVariant,
  type PhotoWidth,
} from './photo-variant.ts';
import { Turns } from './turns.ts';

const MAX_FAILURES = 2_000;
/** How long a photo that could not be had is not asked for again. */
const RETRY_MS = 60_000;
/** How long a kept photo is taken for the one at its address; then the next request has it looked at again. */
const RECHECK_MS = 10 * 60_000;
const MAX_SOURCES = 20_000;
/** After a host did not answer, pages look for none of its photos for this long: each look would fail the same way. */
const AWAY_MS = 10_000;

// Only sharp's raster decoders stay enabled: nothing fetched may reach an SVG or PDF parser.
sharp.block({ operation: ['VipsForeignLoadSvg', 'VipsForeignLoadPdf', 'VipsForeignLoadMagick'] });
sharp.concurrency(1);
sharp.cache(false);

const FORMATS = new Set(['jpeg', 'png', 'webp', 'gif', 'heif']);
const MAX_PIXELS = 40_000_000;
/** Smaller ones hold a place. */
const MIN_SIDE = 8;

/**
 * The photo turned upright, at most `width` pixels wide, without metadata.
 *
 * @throws PhotoError `not_a_photo`; `placeholder` for a picture of nothing
 */
export async function resizePhoto(
  bytes: Buffer,
  width: PhotoWidth,
  format: PhotoFormat = 'webp',
): Promise<Buffer> {
  try {
    const image = sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error' });
    const { format: known, ...size } = await image.metadata();
    if (!FORMATS.has(known)) throw new PhotoError('not_a_photo', `${known} is not a photo`);
    if (Math.max(size.width, size.height) < MIN_SIDE || (await isNearlyWhite(bytes, MAX_PIXELS)))
      throw new PhotoError('placeholder', 'the photo is not there yet');
    const resized = image.rotate().resize({ width, withoutEnlargement: true });
    return format === 'webp'
      ? await resized.webp({ quality: 76 }).toBuffer()
      : await resized.flatten({ background: '#fff' }).jpeg({ quality: 80, progressive: true }).toBuffer();
  } catch (error) {
    if (error instanceof PhotoError) throw error;
    throw new PhotoError('not_a_photo', 'the bytes are not a photo');
  }
}

/** What was at an address when it was last looked at. */
interface Source extends Pick<FetchedPhoto, 'etag' | 'lastModified'> {
  readonly checkedAtMs: number;
  /** Of the bytes; absent after a restart. */
  readonly digest?: string;
}

/** Photos of the operators, fetched once, resized, kept on disk, and looked at again while somebody asks for them. */
export class PhotoProxy {
  readonly shelf: PhotoShelf;
  readonly #cache: DiskCache;
  readonly #rules: PhotoRules;
  readonly #limits: FetchLimits;
  readonly #nowMs: () => number;
  readonly #running = new Map<string, Promise<CachedFile>>();
  readonly #checking = new Map<string, Promise<void>>();
  readonly #sources = new LRUCache<string, Source>({ max: MAX_SOURCES });
  readonly #failures = new LRUCache<string, { readonly error: PhotoError; readonly atMs: number }>({
    max: MAX_FAILURES,
  });
  /** When `lookFor` began to look for a photo that it has not found yet, by `performance.now()`. */
  readonly #lookedForMs = new Map<string, number>();
  readonly #turns = new Turns();
  /** Until when the host of an operator's photos is taken for one that does not answer. */
  readonly #awayUntilMs = new Map<Vendor, number>();

  constructor(
    cache: DiskCache,
    rules: PhotoRules,
    limits: FetchLimits = FETCH_LIMITS,
    nowMs: () => number = Date.now,
  ) {
    this.#cache = cache;
    this.#rules = rules;
    this.#limits = limits;
    this.#nowMs = nowMs;
    this.shelf = new PhotoShelf({
      nowMs,
      // Whoever asks next knows what came of it.
      onWanted: (vendor, url) => {
        if (!this.#isAway(vendor)) this.get(vendor, 480, url).catch(() => {});
      },
    });
  }

  /** Bytes of photos on disk. */
  get storedBytes(): number {
    return this.#cache.totalBytes;
  }

  /** The photo in this form; a kept one at once, though it may be looked at again meanwhile. @throws PhotoError */
  async get(
    vendor: Vendor,
    width: PhotoWidth,
    url: string,
    format: PhotoFormat = 'webp',
  ): Promise<CachedFile> {
    const variant = { format, width };
    const kept = await this.#cache.get(keyOf(vendor, variant, url));
    if (kept !== undefined) {
      this.shelf.noteVersion(vendor, url, variant, kept.version);
      this.#recheck(vendor, variant, url);
      return kept;
    }
    const failure = this.#failures.get(sourceOf(vendor, url));
    if (failure !== undefined && this.#nowMs() - failure.atMs < RETRY_MS) throw failure.error;
    const key = keyOf(vendor, variant, url);
    let running = this.#running.get(key);
    if (running === undefined) {
      running = this.#make(vendor, variant, url).finally(() => this.#running.delete(key));
      this.#running.set(key, running);
    }
    return running;
  }

  /**
   * Finds out whether photos are there, as far as that is possible in this time; `shelf` then says so. The time counts from
   * when a photo was first looked for: nobody waits twice for the same one.
   * @param waitMs in ms
   */
  async lookFor(vendor: Vendor, urls: readonly string[], waitMs: number): Promise<void> {
    const unknown = urls.filter((url) => this.shelf.stateOf(vendor, url) === undefined);
    if (unknown.length === 0 || this.#isAway(vendor)) return;
    const sinceMs = unknown.map((url) => {
      const name = sourceOf(vendor, url);
      const begunMs = this.#lookedForMs.get(name) ?? performance.now();
      this.#lookedForMs.set(name, begunMs);
      return begunMs;
    });
    const looks = unknown.map((url) =>
      this.get(vendor, 480, url, 'jpeg')
        .catch(() => {})
        .finally(() => this.#lookedForMs.delete(sourceOf(vendor, url))),
    );
    const waited = Promise.withResolvers<void>();
    const leftMs = Math.max(0, Math.max(...sinceMs) + waitMs - performance.now());
    const timer = setTimeout(waited.resolve, leftMs);
    await Promise.race([Promise.all(looks), waited.promise]);
    clearTimeout(timer);
  }

  async #make(vendor: Vendor, variant: PhotoVariant, url: string): Promise<CachedFile> {
    try {
      return await this.#turns.run(async () => {
        const fetched = await requestPhoto(url, vendor, this.#rules, { limits: this.#limits });
        const made = await resizePhoto(fetched.bytes, variant.width, variant.format);
        return this.#keep(vendor, variant, url, fetched, made);
      });
    } catch (error) {
      if (error instanceof PhotoError && error.code !== 'overloaded') this.#noteFailure(vendor, url, error);
      throw error;
    }
  }

  async #keep(
    vendor: Vendor,
    variant: PhotoVariant,
    url: string,
    { bytes, etag, lastModified }: FetchedPhoto,
    made: Buffer,
  ): Promise<CachedFile> {
    const name = sourceOf(vendor, url);
    const digest = digestOf(bytes);
    const earlier = this.#sources.get(name)?.digest;
    if (earlier !== undefined && earlier !== digest) await this.#forget(vendor, url);
    this.#sources.set(name, { checkedAtMs: this.#nowMs(), digest, etag, lastModified });
    const file = await this.#cache.set(keyOf(vendor, variant, url), made);
    this.shelf.noteVersion(vendor, url, variant, file.version);
    this.#awayUntilMs.delete(vendor);
    return file;
  }

  #isAway(vendor: Vendor): boolean {
    return this.#nowMs() < (this.#awayUntilMs.get(vendor) ?? 0);
  }

  /** Looks in the background whether another photo is at the address by now; one that cannot be looked at is kept. */
  #recheck(vendor: Vendor, variant: PhotoVariant, url: string): void {
    const name = sourceOf(vendor, url);
    const source = this.#sources.get(name);
    if (source !== undefined && this.#nowMs() - source.checkedAtMs < RECHECK_MS) return;
    if (this.#checking.has(name)) return;
    const checking = this.#turns
      .run(() => this.#check(vendor, variant, url, source))
      // Nobody waits for it, and the kept photo is as good as before.
      .catch(() => {})
      .finally(() => this.#checking.delete(name));
    this.#checking.set(name, checking);
  }

  async #check(
    vendor: Vendor,
    variant: PhotoVariant,
    url: string,
    source: Source | undefined,
  ): Promise<void> {
    const name = sourceOf(vendor, url);
    this.#sources.set(name, { ...source, checkedAtMs: this.#nowMs() });
    const fetched = await requestPhoto(url, vendor, this.#rules, {
      limits: this.#limits,
      ...(source === undefined ? {} : { known: source }),
    });
    if (fetched.isSame || (source?.digest !== undefined && source.digest === digestOf(fetched.bytes))) return;
    try {
      // After a restart only what is made of it tells whether it is another one.
      const made = await resizePhoto(fetched.bytes, variant.width, variant.format);
      const kept = await this.#cache.get(keyOf(vendor, variant, url));
      if (kept === undefined || !kept.bytes.equals(made)) await this.#forget(vendor, url);
      await this.#keep(vendor, variant, url, fetched, made);
    } catch (error) {
      // Bytes that are no photo are a host in trouble; a placeholder is the operator's own word.
      if (!(error instanceof PhotoError) || error.code !== 'placeholder') throw error;
      await this.#forget(vendor, url);
      this.#noteFailure(vendor, url, error);
    }
  }

  /** Forgets what was made of an earlier photo at this address. */
  async #forget(vendor: Vendor, url: string): Promise<void> {
    for (const variant of PHOTO_VARIANTS) await this.#cache.delete(keyOf(vendor, variant, url));
    this.shelf.forget(vendor, url);
  }

  #noteFailure(vendor: Vendor, url: string, error: PhotoError): void {
    this.#failures.set(sourceOf(vendor, url), { error, atMs: this.#nowMs() });
    if (error.code === 'unreachable' || error.code === 'timeout')
      this.#awayUntilMs.set(vendor, this.#nowMs() + AWAY_MS);
    this.shelf.noteAbsent(vendor, url);
  }
}

const sourceOf = (vendor: Vendor, url: string): string => `${vendor} ${url}`;
const keyOf = (vendor: Vendor, variant: PhotoVariant, url: string): string =>
  `${vendor} ${nameOf(variant)} ${url}`;
const digestOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('base64url');
