import { LRUCache } from 'lru-cache';
import { isNewest } from './readings.ts';
import type { Rendering } from './rendering.ts';
import type { Validity } from './validity.ts';

/** A rendering with how long it is shown, and the route that made it. */
export interface KeptRendering {
  readonly rendering: Rendering;
  readonly route: string;
  readonly validity: Validity;
}

/** Of a key, a tag and header fields. */
const OVERHEAD_BYTES = 900;

/** Renderings by key, dropped when their version is no longer asked for or the memory is needed. */
export class RenderingCache {
  readonly #kept: LRUCache<string, KeptRendering>;

  constructor(maxBytes: number) {
    this.#kept = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ rendering }) => OVERHEAD_BYTES + rendering.weight,
    });
  }

  /** The rendering that may be shown without asking for its data. */
  recent(key: string, nowMs: number): KeptRendering | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined || nowMs >= kept.validity.untilMs || !isNewest(kept.validity.mark))
      return undefined;
    return kept;
  }

  /** The kept rendering of this version, or a new one. */
  get(key: string, version: string, route: string, validity: Validity, make: () => Rendering): Rendering {
    const before = this.#kept.get(key);
    const rendering = before?.rendering.version === version ? before.rendering : make();
    this.keep(key, { rendering, route, validity });
    return rendering;
  }

  keep(key: string, kept: KeptRendering): void {
    this.#kept.set(key, kept);
    kept.rendering.shrink();
  }

  /** Bytes kept at present, by the cache's own estimate. */
  get sizeBytes(): number {
    return this.#kept.calculatedSize;
  }
}
