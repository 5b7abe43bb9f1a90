import type { RostackClient } from '../client.ts';
import { type FollowQuery, followText } from './follow-query.ts';
import { pendingState } from './follow-state.ts';
import { type InitialRecords, initialState } from './initial-records.ts';
import { SharedFollow } from './shared-follow.ts';

/** The follows of one provider, by the text of what they show. */
export class FollowCache {
  readonly #client: RostackClient | undefined;
  readonly #initial: readonly InitialRecords[];
  /** Their types are not known here. */
  readonly #follows = new Map<string, { wake(): void }>();

  constructor(client: RostackClient | undefined, initial: readonly InitialRecords[]) {
    this.#client = client;
    this.#initial = initial;
  }

  /** Called when another cache takes over, so that waiting components look there. */
  wake(): void {
    for (const follow of this.#follows.values()) follow.wake();
  }

  get<T>(resource: string, query: FollowQuery<T>): SharedFollow<T> {
    const text = followText(resource, query);
    const found = this.#follows.get(text) as SharedFollow<T> | undefined;
    if (found !== undefined) return found;
    const client = this.#client;
    const made = new SharedFollow<T>(
      client &&
        (() => {
          // A follow that starts again after its end is shared again.
          this.#follows.set(text, made);
          return client.follow<T>(resource, query);
        }),
      initialState<T>(this.#initial, text) ?? pendingState<T>(),
      () => {
        if (this.#follows.get(text) === made) this.#follows.delete(text);
      },
    );
    this.#follows.set(text, made);
    return made;
  }
}

const caches = new WeakMap<RostackClient, WeakMap<readonly InitialRecords[], FollowCache>>();

/**
 * The follows of a client and of the records that its provider begins with. Always returns the same ones, because React throws away what
 * a provider has made if something inside it suspends before the first time it is shown.
 */
export function followCache(
  client: RostackClient | undefined,
  initial: readonly InitialRecords[],
): FollowCache {
  // On a server, where requests must not share anything.
  if (client === undefined) return new FollowCache(undefined, initial);
  const ofClient = caches.get(client) ?? new WeakMap<readonly InitialRecords[], FollowCache>();
  caches.set(client, ofClient);
  const cache = ofClient.get(initial) ?? new FollowCache(client, initial);
  ofClient.set(initial, cache);
  return cache;
}
