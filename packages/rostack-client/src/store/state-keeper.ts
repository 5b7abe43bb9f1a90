import type { FollowState, StateScope, StateUpdate } from './state-store.ts';

/** What a follow does with its state. */
export interface StateKeeper {
  /** Of the newest state; undefined before there is one. */
  readonly cursor: string | undefined;
  /** What a follow of a scope goes on from. */
  restore(scope: StateScope, olderKey: string | undefined): Promise<FollowState | undefined>;
  replace(state: FollowState): Promise<void>;
  update(update: StateUpdate): Promise<void>;
  /** The follow ends: whoever wants its place waits for `leave`. */
  announceLeave(): void;
  /** What is called from here on fails with the reason. */
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
