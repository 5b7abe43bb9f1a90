import type { RostackClient } from '../client.ts';
import { type FollowQuery, followText } from './follow-query.ts';
import { pendingState } from './follow-state.ts';
import { type InitialRecords, initialState } from './initial-records.ts';
import { SharedFollow } from './shared-follow.ts';

/** The follows of one provider, by what they show. */
export class FollowCache {
  readonly #client: RostackClient | undefined;
  readonly #initial: readonly InitialRecords[];
  readonly #follows = new Map<string, SharedFollow<unknown>>();

  constructor(client: RostackClient | undefined, initial: readonly InitialRecords[]) {
    this.#client = client;
    this.#initial = initial;
  }

  get<T>(resource: string, query: FollowQuery<T>): SharedFollow<T> {
    const text = followText(resource, query);
    const found = this.#follows.get(text) as SharedFollow<T> | undefined;
    if (found !== undefined) return found;
    const client = this.#client;
    const made = new SharedFollow<T>(
      client &&
        (() => {
          // One that begins again after its end is shared again.
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
