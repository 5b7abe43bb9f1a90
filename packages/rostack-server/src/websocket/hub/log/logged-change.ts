import { type Change, type JsonValue, parseTrustedJson } from 'rostack-core';
import type { SharedPayload } from '../../delivery/text-frame.ts';

/** The data of an event as JSON text, or why it may not be sent. */
export type EventData =
  | { readonly kind: 'data'; readonly text: string | undefined }
  | { readonly kind: 'faulty'; readonly faults: readonly string[] };

/** A change, with everything that is computed once for all its subscribers. */
export class LoggedChange {
  readonly change: Change;
  /** Tag of the position before it: a feed at that position with another tag is in another history. */
  readonly tagBefore: string;
  #before: ParsedState | undefined;
  #after: ParsedState | undefined;
  #frames: Map<string, SharedPayload> | undefined;
  #data: Map<string, EventData> | undefined;

  constructor(change: Change, tagBefore: string) {
    this.change = change;
    this.tagBefore = tagBefore;
  }

  get position(): number {
    return this.change.position;
  }

  /** Rough size in memory with both states parsed and one frame, from measurements; text beyond Latin-1 takes a third more. */
  get costBytes(): number {
    const { before, after } = this.change;
    return 1_536 + 4 * ((before?.length ?? 0) + (after?.length ?? 0));
  }

  /** The record before the change; undefined for a create. */
  get before(): JsonValue | undefined {
    this.#before ??= parse(this.change.before);
    return this.#before.record;
  }

  /** The record after the change; undefined for a delete. */
  get after(): JsonValue | undefined {
    this.#after ??= parse(this.change.after);
    return this.#after.record;
  }

  /** The shared half of an event, cached by name and made on first use. */
  frame(name: string, make: () => SharedPayload): SharedPayload {
    this.#frames ??= new Map();
    const kept = this.#frames.get(name);
    if (kept !== undefined) return kept;
    const made = make();
    this.#frames.set(name, made);
    return made;
  }

  /** The data of an event, cached by name and made on first use. */
  data(name: string, make: () => EventData): EventData {
    this.#data ??= new Map();
    const kept = this.#data.get(name);
    if (kept !== undefined) return kept;
    const made = make();
    this.#data.set(name, made);
    return made;
  }
}

/** Parsed separately, because for most changes only the state after them is needed. */
interface ParsedState {
  readonly record: JsonValue | undefined;
}

function parse(text: string | undefined): ParsedState {
  return { record: text === undefined ? undefined : (parseTrustedJson(text) as JsonValue) };
}
