import { observer } from '../connection/platform/platform.ts';
import type { Follow } from '../follow/follow.ts';
import type { FollowChange } from '../follow/follow-change.ts';
import { type FollowState, followState } from './follow-state.ts';

/** How long a follow without components goes on, so that a component that comes back finds it, in milliseconds. */
const LINGER_MS = 1_000;

/** Where a shared follow gets what it shows. */
export interface SharedFollowSource<T> {
  /** Begins a follow; undefined without a client, until `noteClient`. */
  start(): Follow<T> | undefined;
  /** What a store holds, if anything. */
  restore(): Promise<ReadonlyMap<string, T> | undefined>;
  /** The follow has ended because nobody looks at it. */
  onEnd(): void;
}

/**
 * One follow for all components that show the same. It begins with the first component, and ends a while after the last one is gone.
 * Changes that come together are shown together.
 */
export class SharedFollow<T> {
  readonly #source: SharedFollowSource<T>;
  readonly #listeners = new Set<() => void>();
  readonly #watchers = new Set<(change: FollowChange<T>) => void>();
  #known = Promise.withResolvers<void>();
  /** For the first rendering, in which nothing is subscribed. */
  readonly initial: () => FollowState<T>;
  #state: FollowState<T>;
  #status: FollowState<T>['status'];
  #follow: Follow<T> | undefined;
  #ending: ReturnType<typeof setTimeout> | undefined;
  #isKnown: boolean;
  #isBegun = false;
  #telling: ReturnType<typeof setTimeout> | undefined;

  constructor(source: SharedFollowSource<T>, initial: FollowState<T>) {
    this.#source = source;
    this.initial = () => initial;
    this.#state = initial;
    this.#status = initial.status;
    this.#isKnown = initial.status !== 'pending';
  }

  /** Whether there are records to show, or it is known that there are none. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  /** The same object until something has changed. */
  readonly state = (): FollowState<T> => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    this.#begin();
    return () => {
      this.#listeners.delete(listener);
      this.#endWhenLeft();
    };
  };

  /** Calls back for each change from now on; if it throws, that ends nothing. */
  readonly watch = (onChange: (change: FollowChange<T>) => void): (() => void) => {
    const watcher = observer('onChange', onChange);
    this.#watchers.add(watcher);
    this.#begin();
    return () => {
      this.#watchers.delete(watcher);
      this.#endWhenLeft();
    };
  };

  /** Begins for a component that cannot be shown yet. Fulfilled when it should look again; it then has `LINGER_MS` to subscribe. */
  untilKnown(): Promise<void> {
    this.#begin();
    return this.#known.promise;
  }

  /** There is a client now. */
  noteClient(): void {
    if (this.#isBegun && this.#follow === undefined) this.#run();
  }

  /** There will be no client. */
  noteFailure(error: unknown): void {
    if (this.#isBegun && this.#follow === undefined) this.#fail(error);
  }

  /** The connection is lost. */
  noteLost(): void {
    if (this.#status !== 'live') return;
    this.#status = 'reconnecting';
    this.#tellSoon();
  }

  /** Makes waiting components look again. */
  wake(): void {
    const { resolve } = this.#known;
    this.#known = Promise.withResolvers();
    resolve();
  }

  #begin(): void {
    clearTimeout(this.#ending);
    this.#ending = undefined;
    if (!this.#isBegun) {
      this.#isBegun = true;
      if (this.#status === 'pending') void this.#restore();
    }
    if (this.#follow === undefined) this.#run();
  }

  async #restore(): Promise<void> {
    // The follow says what is wrong with a store.
    const records = await this.#source.restore().catch(() => undefined);
    if (records === undefined || !this.#isBegun || this.#status !== 'pending') return;
    this.#status = 'restored';
    this.#tell(followState(records, 'restored'));
  }

  #endWhenLeft(): void {
    if (this.#listeners.size + this.#watchers.size > 0) return;
    this.#ending ??= setTimeout(() => this.#end(), LINGER_MS);
  }

  #run(): void {
    try {
      const follow = this.#source.start();
      if (follow === undefined) return;
      this.#follow = follow;
      if (this.#status !== 'pending' && this.#status !== 'restored') this.#status = 'stale';
      follow
        .run((change) => this.#note(change))
        .catch((error: unknown) => {
          if (this.#follow === follow) this.#fail(error);
        });
    } catch (error) {
      // Only after the component has finished subscribing.
      queueMicrotask(() => this.#fail(error));
    }
  }

  #note(change: FollowChange<T>): void {
    for (const watcher of this.#watchers) watcher(change);
    if (change.kind === 'live') this.#status = 'live';
    else if (this.#status === 'pending' || this.#status === 'restored') {
      const isRestored =
        change.kind === 'snapshot' ? change.reason === 'restored' : this.#status === 'restored';
      this.#status = isRestored ? 'restored' : 'stale';
    }
    this.#tellSoon();
  }

  #tellSoon(): void {
    this.#telling ??= setTimeout(() => {
      this.#telling = undefined;
      if (this.#follow !== undefined) this.#tell(followState(new Map(this.#follow.records), this.#status));
    });
  }

  #fail(error: unknown): void {
    clearTimeout(this.#telling);
    this.#telling = undefined;
    // A follow that fails before its first snapshot holds nothing, and what was there before stays.
    const held = this.#follow?.cursor === undefined ? this.#state.byId : new Map(this.#follow.records);
    this.#tell(followState(held, 'failed', error));
  }

  #tell(state: FollowState<T>): void {
    this.#state = state;
    this.#isKnown ||= state.status !== 'failed';
    this.wake();
    this.#endWhenLeft();
    for (const listener of this.#listeners) listener();
  }

  #end(): void {
    clearTimeout(this.#telling);
    this.#telling = undefined;
    this.#ending = undefined;
    void this.#follow?.close();
    this.#follow = undefined;
    this.#isBegun = false;
    this.#source.onEnd();
  }
}
