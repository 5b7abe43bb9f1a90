import { MenuError, OperatorError } from '../domain/menu-error.ts';
import type { Restaurant } from '../domain/restaurant.ts';
import { type EntryKey, entryKey } from '../store/menu-store.ts';
import type { CacheAnswer, EntryKind, Load } from './entry-cache.ts';
import { catalogueKind, type Dated } from './entry-kinds.ts';
import { type OperatorReader, type Priority, withLost } from './operator-reader.ts';
import type { UnreadOperator } from './unread-operator.ts';

type Catalogue = Dated<readonly Restaurant[]>;

/** An answer with less than half of the earlier catalogue is taken for an error, and the earlier one is kept. */
const MIN_CATALOGUE_SHARE = 0.5;

/** One operator's restaurants, from the cache first. */
export class CatalogueCache {
  readonly #reader: OperatorReader;
  readonly #key: EntryKey;
  readonly #kind: EntryKind<Catalogue>;
  #retryAtMs = 0;
  #failure: MenuError | undefined;
  #askedSinceMs: number | undefined;

  constructor(reader: OperatorReader) {
    this.#reader = reader;
    this.#key = entryKey('catalogue', reader.vendor);
    this.#kind = catalogueKind(reader.freshness);
  }

  /** @throws MenuError `catalogue_unavailable` if they have never been read */
  async restaurants(waitMs?: number): Promise<readonly Restaurant[]> {
    const known = await this.known(waitMs);
    if (known !== undefined) return known;
    const { vendor, retryAfterMs } = this.unread;
    const cause = this.#failure;
    throw new OperatorError(vendor, 'catalogue_unavailable', 'The restaurants could not be read yet.', {
      ...(cause === undefined ? {} : { cause }),
      retryAfterMs,
    });
  }

  /** Undefined if they have never been read: `unread` then says why. */
  async known(waitMs = this.#reader.deadlineMs): Promise<readonly Restaurant[] | undefined> {
    const { clock, freshness, deadlineMs } = this.#reader;
    if (clock.nowMs() < this.#retryAtMs) return this.peek();
    const { value, overdue, pending } = await this.#get(waitMs);
    // Nobody waits again for what has just failed, or was waited for as long as anybody does.
    if (overdue && (!pending || waitMs >= deadlineMs)) this.#retryAtMs = clock.nowMs() + freshness.retryMs;
    return value?.value;
  }

  /** What is kept, without asking the operator. */
  async peek(): Promise<readonly Restaurant[] | undefined> {
    return (await this.#reader.cache.peek(this.#key, this.#kind))?.value;
  }

  get unread(): UnreadOperator {
    const { vendor, clock } = this.#reader;
    const nowMs = clock.nowMs();
    return {
      vendor,
      reason: this.#failure?.code ?? 'deadline_exceeded',
      since: new Date(this.#askedSinceMs ?? nowMs).toISOString(),
      retryAfterMs: Math.max(0, this.#retryAtMs - nowMs),
    };
  }

  /** Reads the restaurants again unless they are fresh. */
  async refresh(): Promise<readonly Restaurant[]> {
    const { value } = await this.#reader.cache.refresh(this.#key, this.#kind, this.#load('background'));
    return value;
  }

  async #get(waitMs: number): Promise<CacheAnswer<Catalogue>> {
    const { cache, clock } = this.#reader;
    this.#askedSinceMs ??= clock.nowMs();
    try {
      return await cache.get(this.#key, this.#kind, this.#load('foreground'), waitMs);
    } catch (error) {
      if (!(error instanceof MenuError) || this.#reader.gate.closed) throw error;
      this.#failure = error;
      return { value: undefined, overdue: true, pending: false };
    }
  }

  #load(priority: Priority): Load<Catalogue> {
    return async (before) => {
      this.#askedSinceMs ??= this.#reader.clock.nowMs();
      try {
        const value = await this.#read(before, priority);
        this.#failure = undefined;
        return { value };
      } catch (error) {
        if (error instanceof MenuError) this.#failure = error;
        throw error;
      }
    };
  }

  async #read(before: Catalogue | undefined, priority: Priority): Promise<Catalogue> {
    const { vendor } = this.#reader;
    const known = before?.value.length;
    const shrunken = ({ length }: readonly Restaurant[]) =>
      length === 0 || length < (known ?? 0) * MIN_CATALOGUE_SHARE
        ? new OperatorError(
            vendor,
            'operator_answer_invalid',
            `The answer has ${length} restaurants where ${known ?? 'some'} were known.`,
          )
        : undefined;
    const reading = await this.#reader.read(
      'restaurants',
      (operator, options) => operator.restaurants(options),
      priority,
      shrunken,
    );
    const fault = shrunken(reading.value);
    if (fault !== undefined) throw fault;
    const restaurants = withLost(reading, before?.value, (restaurant) => restaurant.id);
    return this.#reader.dated(restaurants, reading.droppedRows > 0);
  }
}
