import type { RostackClient } from '../client/client.ts';
import type { Follow } from '../follow/follow.ts';
import { type FollowQuery, followText } from './follow-query.ts';
import { pendingState } from './follow-state.ts';
import { type InitialRecords, initialState } from './initial-records.ts';
import { OwnClient } from './own-client.ts';
import { SharedFollow } from './shared-follow.ts';

/** The follows of one provider, by the text of what they show. */
export class FollowCache {
  readonly #source: RostackClient | OwnClient | undefined;
  readonly #initial: readonly InitialRecords[];
  /** Their types are not known here. */
  readonly #follows = new Map<string, Pick<SharedFollow<never>, 'wake' | 'noteClient' | 'noteFailure'>>();

  constructor(source: RostackClient | OwnClient | undefined, initial: readonly InitialRecords[]) {
    this.#source = source;
    this.#initial = initial;
    if (!(source instanceof OwnClient)) return;
    source.subscribe(() => {
      const { failure } = source;
      for (const follow of this.#follows.values()) {
        if (failure === undefined) follow.noteClient();
        else follow.noteFailure(failure.error);
      }
    });
  }

  /** Called when another cache takes over, so that waiting components look there. */
  wake(): void {
    for (const follow of this.#follows.values()) follow.wake();
  }

  get<T>(resource: string, query: FollowQuery<T>): SharedFollow<T> {
    const text = followText(resource, query);
    const found = this.#follows.get(text) as SharedFollow<T> | undefined;
    if (found !== undefined) return found;
    const made = new SharedFollow<T>(
      {
        start: () => {
          // A follow that starts again after its end is shared again.
          this.#follows.set(text, made);
          return this.#start(resource, query, () => made.noteLost());
        },
        restore: () => this.#restore(resource, query),
        onEnd: () => {
          if (this.#follows.get(text) === made) this.#follows.delete(text);
        },
      },
      initialState<T>(this.#initial, text) ?? pendingState<T>(),
    );
    this.#follows.set(text, made);
    return made;
  }

  /** @returns undefined without a client */
  #start<T>(resource: string, query: FollowQuery<T>, noteLost: () => void): Follow<T> | undefined {
    const source = this.#source;
    if (source instanceof OwnClient) source.begin();
    const client = source instanceof OwnClient ? source.current() : source;
    const { store, sort, onLost } = query;
    const follow = client?.follow<T>(resource, {
      ...query,
      onLost: () => {
        noteLost();
        onLost?.();
      },
    });
    if (follow === undefined || store === undefined || sort === undefined) return follow;
    // What goes wrong here goes wrong in the follow as well.
    Promise.all([import('./restored.ts'), follow.order()])
      .then(([{ keepOrder }, order]) => keepOrder(store, resource, query as FollowQuery, order))
      .catch(() => {});
    return follow;
  }

  async #restore<T>(resource: string, query: FollowQuery<T>): Promise<ReadonlyMap<string, T> | undefined> {
    if (this.#source === undefined || query.store === undefined) return undefined;
    const { restoredRecords } = await import('./restored.ts');
    return restoredRecords(query.store, resource, query);
  }
}

const caches = new WeakMap<RostackClient | OwnClient, WeakMap<readonly InitialRecords[], FollowCache>>();

/**
 * The follows of a client, or of one that is to be connected, and of the records that its provider begins with. Always returns the same ones, because React throws away what
 * a provider has made if something inside it suspends before the first time it is shown.
 */
export function followCache(
  source: RostackClient | OwnClient | undefined,
  initial: readonly InitialRecords[],
): FollowCache {
  // On a server, where requests must not share anything.
  if (source === undefined) return new FollowCache(undefined, initial);
  const ofClient = caches.get(source) ?? new WeakMap<readonly InitialRecords[], FollowCache>();
  caches.set(source, ofClient);
  const cache = ofClient.get(initial) ?? new FollowCache(source, initial);
  ofClient.set(initial, cache);
  return cache;
}
