import type { FollowState, StateScope, StateUpdate } from './state-store.ts';

/** What a follow does with its state. */
export interface StateKeeper {
  /** Cursor of the newest state; undefined before there is one. */
  readonly cursor: string | undefined;
  /** The state that a follow of a scope continues from. */
  restore(scope: StateScope, olderKey: string | undefined): Promise<FollowState | undefined>;
  replace(state: FollowState): Promise<void>;
  update(update: StateUpdate): Promise<void>;
  /** The follow is about to end: others who want its place wait for `leave`. */
  announceLeave(): void;
  /** After this, every call fails with the reason. */
  leave(reason: unknown): Promise<void>;
}

export function isSameScope(a: StateScope, b: StateScope): boolean {
  return (
    a.implementationId === b.implementationId &&
    a.apiVersion === b.apiVersion &&
    a.resource === b.resource &&
    a.filter === b.filter
  );
}

/** The state of a follow without a store: the set is in memory already, so only the cursor is kept. */
export class UnstoredState implements StateKeeper {
  #cursor: string | undefined;
  #left: { readonly reason: unknown } | undefined;

  get cursor(): string | undefined {
    return this.#cursor;
  }

  async restore(): Promise<undefined> {}

  async replace({ cursor }: { readonly cursor: string }): Promise<void> {
    if (this.#left !== undefined) throw this.#left.reason;
    this.#cursor = cursor;
  }

  update(update: { readonly cursor: string }): Promise<void> {
    return this.replace(update);
  }

  announceLeave(): void {}

  async leave(reason: unknown): Promise<void> {
    this.#left ??= { reason };
  }
}
