import type { Change, Head, Position, RecordSource } from 'rostack-core';
import { LOOK_INTERVAL_MS } from './log-reporter.ts';
import type { LogNews } from './messages.ts';

/** What was told is believed for so long; then the database is asked again. */
const BELIEVED_MS = 4 * LOOK_INTERVAL_MS;
const MAX_CHANGES = 1_024;
const MAX_CHARACTERS = 8 * 1_048_576;

/**
 * The log of a resource as the lead tells it. A hint and a memory, no more: what was not told, or not lately, is read from the store,
 * so that nothing depends on the lead but who reads the database.
 */
export class ToldLog {
  readonly #source: RecordSource;
  readonly #watchers = new Set<() => void>();
  #head: Head | undefined;
  #toldAtMs = 0;
  /** How far the store itself has shown the log. News may come late, and a head behind it would look like a log that was cut. */
  #shown: Position = 0;
  /** Dense, up to the head. */
  #changes: Change[] = [];
  #characters = 0;
  /** Tag of the position before the first change. */
  #tagBefore = '';
  #unwatch: (() => void) | undefined;

  constructor(source: RecordSource) {
    this.#source = source;
  }

  /** The source for those who follow: its head and newest changes are what was told. */
  get source(): RecordSource {
    const source = this.#source;
    return {
      page: (query) => source.page(query),
      get: (id, visible) => source.get(id, visible),
      tagAt: (position) => source.tagAt(position),
      ...(source.reach && { reach: source.reach.bind(source) }),
      head: async () => {
        if (this.#head !== undefined && this.#isFresh && this.#head.position >= this.#shown)
          return this.#head;
        const head = await source.head();
        this.#shown = head.position;
        return head;
      },
      read: async (after, limit, tag) => {
        const told = this.#told(after, limit, tag);
        if (told !== undefined) return told;
        const changes = await source.read(after, limit, tag);
        this.#shown = Math.max(this.#shown, changes.at(-1)?.position ?? 0);
        return changes;
      },
      watch: (onMoved) => this.#watch(onMoved),
    };
  }

  /** Takes what the lead tells. */
  take({ head, changes, tagBefore }: LogNews): void {
    const last = this.#head;
    const [first] = changes;
    const hasMoved = first !== undefined || last?.position !== head.position || last.tag !== head.tag;
    const joins =
      last !== undefined &&
      last.epoch === head.epoch &&
      (first === undefined
        ? last.position === head.position && last.tag === head.tag
        : last.position === first.position - 1 && last.tag === tagBefore);
    if (!joins) this.#forget(tagBefore);
    this.#head = head;
    this.#toldAtMs = performance.now();
    for (const change of changes) this.#keep(change);
    // The lead watches the database for everybody.
    this.#unwatch?.();
    this.#unwatch = undefined;
    if (hasMoved) this.#wake();
  }

  /** Nobody tells any more: the database is watched and read until somebody does. */
  lose(): void {
    this.#head = undefined;
    this.#forget('');
    if (this.#watchers.size > 0) this.#unwatch ??= this.#source.watch(() => this.#wake());
    this.#wake();
  }

  get #isFresh(): boolean {
    return performance.now() - this.#toldAtMs < BELIEVED_MS;
  }

  /** Changes after a position; undefined where they were not told, or not lately. */
  #told(after: Position, limit: number, tag: string | undefined): readonly Change[] | undefined {
    const head = this.#head;
    if (head === undefined || !this.#isFresh || after < head.floor || after > head.position) return undefined;
    const index = after - (head.position - this.#changes.length);
    if (index < 0) return undefined;
    const tagThere = index === 0 ? this.#tagBefore : this.#changes[index - 1]?.tag;
    if (tag !== undefined && tag !== tagThere) return undefined;
    return this.#changes.slice(index, index + limit);
  }

  #watch(onMoved: () => void): () => void {
    const watcher = (): void => onMoved();
    this.#watchers.add(watcher);
    if (this.#head === undefined) this.#unwatch ??= this.#source.watch(() => this.#wake());
    return () => {
      this.#watchers.delete(watcher);
      if (this.#watchers.size > 0) return;
      this.#unwatch?.();
      this.#unwatch = undefined;
    };
  }

  #wake(): void {
    for (const watcher of this.#watchers) watcher();
  }

  #keep(change: Change): void {
    this.#changes.push(change);
    this.#characters += sizeOf(change);
    while (this.#changes.length > MAX_CHANGES || this.#characters > MAX_CHARACTERS) {
      const oldest = this.#changes.shift();
      if (oldest === undefined) return;
      this.#characters -= sizeOf(oldest);
      this.#tagBefore = oldest.tag;
    }
  }

  #forget(tagBefore: string): void {
    this.#changes = [];
    this.#characters = 0;
    this.#tagBefore = tagBefore;
  }
}

const sizeOf = ({ before = '', after = '' }: Change): number => before.length + after.length;
