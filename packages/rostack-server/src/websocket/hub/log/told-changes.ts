import type { Change, CommittedChanges, Head } from 'rostack-core';

/** Beyond so many changes, or characters of states, the log is read instead. */
const MAX_CHANGES = 256;
const MAX_LENGTH = 1_048_576;

/** Changes that a source has handed over and the tail has not taken yet. The log has them all, so any of them may be forgotten. */
export class ToldChanges {
  #told: CommittedChanges[] = [];
  #changes = 0;
  #length = 0;

  get isEmpty(): boolean {
    return this.#told.length === 0;
  }

  /** @returns whether they are kept; if not, neither are the others, and the log has to be read */
  add(told: CommittedChanges): boolean {
    this.#told.push(told);
    this.#changes += told.changes.length;
    this.#length += lengthOf(told.changes);
    if (this.#changes <= MAX_CHANGES && this.#length <= MAX_LENGTH) return true;
    this.clear();
    return false;
  }

  clear(): void {
    this.#told = [];
    this.#changes = 0;
    this.#length = 0;
  }

  /**
   * The changes that follow a place, which are then forgotten, like those up to it; empty if there are none. Undefined if some are missing
   * before them, or they are of another history: then all are forgotten.
   */
  takeAfter({ epoch, position, tag }: Omit<Head, 'floor'>): readonly Change[] | undefined {
    for (let told = this.#told.shift(); told !== undefined; told = this.#told.shift()) {
      this.#changes -= told.changes.length;
      this.#length -= lengthOf(told.changes);
      const { changes } = told;
      if ((changes.at(-1)?.position ?? 0) <= position) continue;
      const isNext = changes[0]?.position === position + 1 && told.tagBefore === tag && told.epoch === epoch;
      if (isNext) return changes;
      this.clear();
      return undefined;
    }
    return [];
  }
}

/** Characters of the states around changes. */
export function lengthOf(changes: readonly Change[]): number {
  return changes.reduce((sum, { before, after }) => sum + (before?.length ?? 0) + (after?.length ?? 0), 0);
}
