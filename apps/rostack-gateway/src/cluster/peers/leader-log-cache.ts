import type { Change, Head, Position, RecordSource } from 'rostack-core';
import { LOOK_INTERVAL_MS } from './log-reporter.ts';
import type { LogUpdate } from './messages.ts';

/** How long the lead's news is trusted; after that the database is asked again. */
const BELIEVED_MS = 4 * LOOK_INTERVAL_MS;
const MAX_CHANGES = 1_024;
const MAX_CHARACTERS = 8 * 1_048_576;

/**
 * The log of a resource as the lead reports it, which is only a hint and a cache: anything not reported, or not recently, is read from the
 * store. So losing the lead only changes which process reads the database.
 */
export class LeaderLogCache {
  readonly #source: RecordSource;
  readonly #watchers = new Set<() => void>();
  #head: Head | undefined;
  #toldAtMs = 0;
  /** The furthest position that the store itself has shown. A head behind it, from late news, would look like a truncated log. */
  #shown: Position = 0;
  /** Without gaps, up to the head. */
  #changes: Change[] = [];
  #characters = 0;
  /** Tag of the position before the first change. */
  #tagBefore = '';
  #unwatch: (() => void) | undefined;

  constructor(source: RecordSource) {
    this.#source = source;
  }

  /** The source for followers: its head and newest changes are those that the lead reported. */
  get source(): RecordSource {
    const source = this.#source;
    return {
      page: (query) => source.page(query),
      get: (id, visible) => source.get(id, visible),
      tagAt: (position) => source.tagAt(position),
      ...(source.waitForPosition && { waitForPosition: source.waitForPosition.bind(source) }),
      head: async () => {
        if (this.#head !== undefined && this.#isFresh && this.#head.position >= this.#shown)
          return this.#head;
        const head = await source.head();
        this.#shown = head.position;
        return head;
      },
      read: async (after, limit, tag) => {
        const reported = this.#reported(after, limit, tag);
        if (reported !== undefined) return reported;
        const changes = await source.read(after, limit, tag);
        this.#shown = Math.max(this.#shown, changes.at(-1)?.position ?? 0);
        return changes;
      },
      watch: (onMoved) => this.#watch(onMoved),
    };
  }

  /** Takes news from the lead. */
  take({ head, changes, tagBefore }: LogUpdate): void {
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
    // The lead watches the database for everyone.
    this.#unwatch?.();
    this.#unwatch = undefined;
    if (hasMoved) this.#wake();
  }

  /** The lead has gone: the database is watched and read until there is news again. */
  lose(): void {
    this.#head = undefined;
    this.#forget('');
    if (this.#watchers.size > 0) this.#unwatch ??= this.#source.watch(() => this.#wake());
    this.#wake();
  }

  get #isFresh(): boolean {
    return performance.now() - this.#toldAtMs < BELIEVED_MS;
  }

  /** Changes after a position; undefined if they were not reported, or not recently. */
  #reported(after: Position, limit: number, tag: string | undefined): readonly Change[] | undefined {
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
