import type { JsonObject } from 'rostack-core';
import { defineError } from 'rostack-core';

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

/** Room for what a result holds besides its items: a cursor and a hint. */
const FRAME_BYTES = 8_192;

/** A result is larger than an assistant can read. */
export class ResultTooLargeError extends defineError('ResultTooLargeError', 'result_too_large', false) {
  constructor(bytes: number, maxBytes: number) {
    super(
      `the answer would have ${bytes} bytes, and may have ${maxBytes}: list the record with a filter and choose fields`,
    );
  }
}

/** The JSON of a result: every answer of a tool or a resource goes through here. @throws ResultTooLargeError `result_too_large` */
export function resultJson(result: JsonObject, { maxBytes }: ResultLimits): string {
  const text = JSON.stringify(result);
  const bytes = Buffer.byteLength(text);
  if (bytes > maxBytes + FRAME_BYTES) throw new ResultTooLargeError(bytes, maxBytes);
  return text;
}

/** What to do about a result that was cut. */
export const CUT_HINTS = {
  count: 'There is more: narrow it with filter, or raise limit.',
  bytes: 'There is more than fits into one answer: narrow it with filter, or choose fields.',
} as const;
