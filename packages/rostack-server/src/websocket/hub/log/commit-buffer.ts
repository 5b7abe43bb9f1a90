import type { Change, CommittedChanges, Head } from 'rostack-core';

/** With more changes, or more characters of states, the log is read instead. */
const MAX_CHANGES = 256;
const MAX_LENGTH = 1_048_576;

/** Changes that a source has handed over and the tail has not taken yet. The log contains all of them, so any may be dropped. */
export class CommitBuffer {
  #commits: CommittedChanges[] = [];
  #changes = 0;
  #length = 0;

  get isEmpty(): boolean {
    return this.#commits.length === 0;
  }

  /** @returns whether they are kept; if not, all others are dropped too, and the log has to be read */
  add(commit: CommittedChanges): boolean {
    this.#commits.push(commit);
    this.#changes += commit.changes.length;
    this.#length += lengthOf(commit.changes);
    if (this.#changes <= MAX_CHANGES && this.#length <= MAX_LENGTH) return true;
    this.clear();
    return false;
  }

  clear(): void {
    this.#commits = [];
    this.#changes = 0;
    this.#length = 0;
  }

  /**
   * Takes the changes after a place, and drops those up to it; empty if there are none. Undefined if changes in between are missing, or if
   * they belong to another history: then all are dropped.
   */
  takeAfter({ epoch, position, tag }: Omit<Head, 'floor'>): readonly Change[] | undefined {
    for (let commit = this.#commits.shift(); commit !== undefined; commit = this.#commits.shift()) {
      this.#changes -= commit.changes.length;
      this.#length -= lengthOf(commit.changes);
      const { changes } = commit;
      if ((changes.at(-1)?.position ?? 0) <= position) continue;
      const isNext =
        changes[0]?.position === position + 1 && commit.tagBefore === tag && commit.epoch === epoch;
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
