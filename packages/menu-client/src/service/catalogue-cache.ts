import { MenuError, OperatorError } from '../domain/menu-error.ts';
import type { Restaurant } from '../domain/restaurant.ts';
import { type EntryKey, entryKey } from '../store/menu-store.ts';
import type { CacheAnswer, EntryKind, Load } from './entry-cache.ts';
import { catalogueKind, type Dated } from './entry-kinds.ts';
import { type OperatorReader, type Priority, withLost } from './operator-reader.ts';

type Catalogue = Dated<readonly Restaurant[]>;

/** Rather than a shrunken catalogue, the earlier one is kept: an answer with less than half of it is a fault. */
const MIN_CATALOGUE_SHARE = 0.5;

/** One operator's restaurants, from the cache first. */
export class CatalogueCache {
  readonly #reader: OperatorReader;
  readonly #key: EntryKey;
  readonly #kind: EntryKind<Catalogue>;
  #retryAtMs = 0;
  #failure: MenuError | undefined;

  constructor(reader: OperatorReader) {
    this.#reader = reader;
    this.#key = entryKey('catalogue', reader.vendor);
    this.#kind = catalogueKind(reader.freshness);
  }

  /** @throws MenuError `catalogue_unavailable` where they have never been read */
  async restaurants(): Promise<readonly Restaurant[]> {
    const { cache, clock, freshness } = this.#reader;
    if (clock.nowMs() < this.#retryAtMs) {
      const kept = await cache.peek(this.#key, this.#kind);
      if (kept !== undefined) return kept.value;
      throw this.#unavailable();
    }
    const { value, overdue } = await this.#get();
    // Nobody waits again for what has just failed, or is still on its way.
    if (overdue) this.#retryAtMs = clock.nowMs() + freshness.retryMs;
    if (value !== undefined) return value.value;
    throw this.#unavailable();
  }

  /** Reads them again unless they are fresh. */
  async refresh(): Promise<readonly Restaurant[]> {
    const { value } = await this.#reader.cache.refresh(this.#key, this.#kind, this.#load('background'));
    return value;
  }

  async #get(): Promise<CacheAnswer<Catalogue>> {
    const { cache, deadlineMs } = this.#reader;
    try {
      return await cache.get(this.#key, this.#kind, this.#load('foreground'), deadlineMs);
    } catch (error) {
      if (!(error instanceof MenuError) || error.code === 'closed') throw error;
      this.#failure = error;
      return { value: undefined, overdue: true };
    }
  }

  #load(priority: Priority): Load<Catalogue> {
    return async (before) => {
      const reading = await this.#reader.read((operator, options) => operator.restaurants(options), priority);
      const read = reading.value.length;
      if (read === 0 || read < (before?.value.length ?? 0) * MIN_CATALOGUE_SHARE) {
        throw new OperatorError(
          this.#reader.vendor,
          'operator_answer_invalid',
          `The answer has ${read} restaurants where ${before?.value.length ?? 'some'} were known.`,
        );
      }
      this.#failure = undefined;
      const restaurants = withLost(reading, before?.value, (restaurant) => restaurant.id);
      return { value: this.#reader.dated(restaurants, reading.droppedRows > 0) };
    };
  }

  #unavailable(): OperatorError {
    const cause = this.#failure;
    const { vendor, clock } = this.#reader;
    return new OperatorError(vendor, 'catalogue_unavailable', 'The restaurants could not be read yet.', {
      ...(cause === undefined ? {} : { cause }),
      retryAfterMs: Math.max(0, this.#retryAtMs - clock.nowMs()),
    });
  }
}
