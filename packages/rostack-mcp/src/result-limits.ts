import type { JsonObject } from 'rostack-core';

/** The most that a result may hold, so that an assistant can read it. */
export interface ResultLimits {
  /** Records or events of one result. @default 100 */
  readonly maxCount: number;
  /** Bytes of their JSON. @default 65,536 */
  readonly maxBytes: number;
}

export const DEFAULT_RESULT_LIMITS: ResultLimits = { maxCount: 100, maxBytes: 65_536 };

/** Takes items until a limit is reached, and says which one. */
export class BoundedItems {
  readonly items: JsonObject[] = [];
  readonly #limits: ResultLimits;
  #bytes = 0;
  /** Why items were left out; undefined: none were. */
  cut: 'count' | 'bytes' | undefined;

  constructor(limits: ResultLimits) {
    this.#limits = limits;
  }

  /** @returns false if there is no room: the item is left out */
  add(item: JsonObject): boolean {
    const bytes = Buffer.byteLength(JSON.stringify(item));
    if (this.items.length >= this.#limits.maxCount) this.cut = 'count';
    else if (this.#bytes + bytes > this.#limits.maxBytes) this.cut = 'bytes';
    if (this.cut !== undefined) return false;
    this.items.push(item);
    this.#bytes += bytes;
    return true;
  }
}

/** What to do about a result that was cut. */
export const CUT_HINTS = {
  count: 'There is more: narrow it with filter, or raise limit.',
  bytes: 'There is more than fits into one answer: narrow it with filter, or choose fields.',
} as const;
