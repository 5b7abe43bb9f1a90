import type { AttachedResource } from './attached-resource.ts';
import type { Chunk } from './batch.ts';
import { type CheckedBatch, checkBatch, withoutIds } from './check-batch.ts';

/** See `TableReader`. */
type ReadChunk = (resource: AttachedResource, limit: number) => Promise<Chunk | undefined>;

/** A chunk that is ready to be written; undefined if the table is not as it was attached. */
type Ready = CheckedBatch<Chunk> | undefined;

/**
 * Reads the next chunk of the first copy while the last one is being written. Rows moved out of the inbox between a chunk's snapshot and
 * its writing may be newer than the chunk, so they are removed from it.
 */
export class ChunkAhead {
  readonly #readChunk: ReadChunk;
  #ahead:
    | { readonly resource: AttachedResource; readonly limit: number; readonly chunk: Promise<Ready> }
    | undefined;

  constructor(readChunk: ReadChunk) {
    this.#readChunk = readChunk;
  }

  /** Begins to read the chunk after the current one. @param resource its state once the current chunk is written */
  begin(resource: AttachedResource, limit: number): void {
    const chunk = this.#read(resource, limit);
    // `take` reports its failure.
    chunk.catch(() => {});
    this.#ahead = { resource, limit, chunk };
  }

  /** The next chunk. @param moved ids of the rows moved out of the inbox since the last chunk was taken */
  async take(resource: AttachedResource, limit: number, moved: ReadonlySet<string>): Promise<Ready> {
    const ahead = this.#ahead;
    this.#ahead = undefined;
    if (ahead === undefined) return this.#read(resource, limit);
    const isNext = ahead.limit === limit && isSame(ahead.resource, resource);
    const chunk = isNext ? await ahead.chunk : await ahead.chunk.catch(() => undefined);
    if (!isNext) return this.#read(resource, limit);
    return chunk && withoutIds(chunk, moved);
  }

  /** Discards the chunk that is being read, and waits for the read. */
  async drop(): Promise<void> {
    const ahead = this.#ahead;
    this.#ahead = undefined;
    await ahead?.chunk.catch(() => {});
  }

  async #read(resource: AttachedResource, limit: number): Promise<Ready> {
    const chunk = await this.#readChunk(resource, limit);
    return chunk && checkBatch(resource, chunk);
  }
}

/** Whether a chunk that was read for one resource state is what the other needs. */
function isSame(one: AttachedResource, other: AttachedResource): boolean {
  const [a, b] = [one.attachment, other.attachment];
  const isAtSamePlace = a.phase === b.phase && a.place === b.place && a.stamp === b.stamp;
  return isAtSamePlace && a.term === b.term && one.mapping === other.mapping;
}
