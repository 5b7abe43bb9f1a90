import { firstCause, MenuError, OperatorError } from '../../domain/menu-error.ts';
import type { Restaurant } from '../../domain/restaurant.ts';
import { type EntryKey, entryKey } from '../../store/menu-store.ts';
import type { UnreadOperator } from '../contract/unread-operator.ts';
import type { EntryKind, Load } from '../entry/entry-cache.ts';
import { type Dated, datedKind } from '../entry/entry-kinds.ts';
import { type OperatorReader, type Priority, withLost } from './operator-reader.ts';

type Catalogue = Dated<readonly Restaurant[]>;

/** An answer with less than half of the earlier catalogue is taken for an error, and the earlier one is kept. */
const MIN_CATALOGUE_SHARE = 0.5;

/** One operator's restaurants, from the cache first. */
export class CatalogueCache {
  readonly #reader: OperatorReader;
  readonly #key: EntryKey;
  readonly #kind: EntryKind<Catalogue>;
  #askedSinceMs: number | undefined;
  /** True once somebody has waited for them. */
  #awaited = false;

  constructor(reader: OperatorReader) {
    this.#reader = reader;
    this.#key = entryKey('catalogue', reader.vendor);
    this.#kind = datedKind(reader.freshness.restaurantsMs, reader);
  }

  /** @throws MenuError `catalogue_unavailable` if they have never been read */
  async restaurants(waitMs?: number): Promise<readonly Restaurant[]> {
    const known = await this.known(waitMs);
    if (known !== undefined) return known;
    const { vendor, retryAfterMs } = this.unread;
    const cause = this.#failure?.error;
    throw new OperatorError(vendor, 'catalogue_unavailable', 'The restaurants could not be read yet.', {
      ...(cause === undefined ? {} : { cause }),
      retryAfterMs,
    });
  }

  /** Undefined if they have never been read: `unread` then says why. */
  async known(waitMs = this.#reader.deadlineMs): Promise<readonly Restaurant[] | undefined> {
    const { cache, clock, gate } = this.#reader;
    // Nobody waits again for what has just failed, even if nothing is kept; but a failure of reading ahead was nobody's wait.
    if (this.#awaited && clock.nowMs() < (this.#failure?.retryAtMs ?? 0)) return this.peek();
    this.#awaited = true;
    this.#askedSinceMs ??= clock.nowMs();
    try {
      const { value } = await cache.get(this.#key, this.#kind, this.#load('foreground'), waitMs);
      return value?.value;
    } catch (error) {
      if (!(error instanceof MenuError) || gate.closed) throw error;
      return undefined;
    }
  }

  /** What is kept, without asking the operator. */
  async peek(): Promise<readonly Restaurant[] | undefined> {
    return (await this.#reader.cache.peek(this.#key, this.#kind))?.value;
  }

  get unread(): UnreadOperator {
    const { vendor, clock, deadlineMs, freshness } = this.#reader;
    const nowMs = clock.nowMs();
    const sinceMs = this.#askedSinceMs ?? nowMs;
    const failure = this.#failure;
    // While they are being read: soon, or once they were waited for as long as anybody does, after as long as a failure.
    const underWayMs = nowMs - sinceMs < deadlineMs ? 0 : freshness.retryMs;
    return {
      vendor,
      reason: failure === undefined ? 'deadline_exceeded' : firstCause(failure.error).code,
      since: new Date(sinceMs).toISOString(),
      retryAfterMs: failure === undefined ? underWayMs : Math.max(0, failure.retryAtMs - nowMs),
    };
  }

  /** Reads the restaurants again unless they are fresh. */
  async refresh(): Promise<readonly Restaurant[]> {
    this.#askedSinceMs ??= this.#reader.clock.nowMs();
    const { value } = await this.#reader.cache.refresh(this.#key, this.#kind, this.#load('background'));
    return value;
  }

  get #failure(): { readonly error: MenuError; readonly retryAtMs: number } | undefined {
    const { error, retryAtMs = 0 } = this.#reader.cache.failure(this.#key) ?? {};
    return error instanceof MenuError ? { error, retryAtMs } : undefined;
  }

  #load(priority: Priority): Load<Catalogue> {
    const { vendor } = this.#reader;
    return async (before) => {
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
        (restaurants) => ({
          place: '',
          error: shrunken(restaurants),
          isWhole: shrunken(restaurants) !== undefined,
        }),
      );
      const fault = shrunken(reading.value);
      if (fault !== undefined) throw fault;
      const restaurants = withLost(reading, before?.value, (restaurant) => restaurant.id);
      return { value: this.#reader.dated(restaurants, reading.droppedRows > 0) };
    };
  }
}
