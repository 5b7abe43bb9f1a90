import { createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';

const SQLITE_BUSY = 5;
const NAME_LENGTH = 16;

/**
 * A lock on one key of a file of states: SQLite's exclusive lock on an empty file next to it. The operating system releases it as soon
 * as its process ends, no matter how; a process that is only stopped keeps it.
 */
export class KeyLock {
  readonly #database: DatabaseSync;

  private constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /**
   * Takes the lock, without waiting.
   * @param statesPath of the file of states; the lock's file is next to it
   * @returns undefined when it is held elsewhere
   * @throws Error of SQLite when the file cannot be made
   */
  static take(statesPath: string, key: string): KeyLock | undefined {
    const name = createHash('sha256').update(key).digest('hex').slice(0, NAME_LENGTH);
    const database = new DatabaseSync(`${statesPath}-${name}.lock`, { timeout: 0 });
    try {
      database.exec('BEGIN EXCLUSIVE');
      return new KeyLock(database);
    } catch (error) {
      database.close();
      if (isBusy(error)) return undefined;
      throw error;
    }
  }

  /** The file stays: if it were deleted, two processes could lock two files of the same name. */
  release(): void {
    if (this.#database.isOpen) this.#database.close();
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}
