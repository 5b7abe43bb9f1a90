import type { StateKeeper } from './state-keeper.ts';

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
