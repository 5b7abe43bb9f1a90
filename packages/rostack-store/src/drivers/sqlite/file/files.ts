import { type BigIntStats, statSync } from 'node:fs';
import { StoreUnavailableError } from '../../../errors/index.ts';
import { sqliteFailure } from '../statement/failure.ts';

const SUFFIXES = ['', '-wal', '-shm'];
/** Writes in quick succession check the files once each: after the write. */
const RECENT_MS = 10;
const STAT_OPTIONS = { bigint: true, throwIfNoEntry: false } as const;
const REMEDY =
  'other processes no longer see what this one writes, and changes may be lost. Stop it, check the database with "pragma integrity_check" or restore a backup, and start again. Never move or delete the files of an open database, nor open them in this process except with the better-sqlite3 of the store';

interface OpenFile {
  readonly path: string;
  readonly dev: bigint;
  readonly ino: bigint;
}

/**
 * The files of an open SQLite database: itself, its log and the log's index. A process that finds no locks removes the log while others
 * write to it; their locks are lost when anything else in their process opens and closes the file.
 */
export class SqliteFiles {
  readonly #files: readonly OpenFile[];
  #fault: StoreUnavailableError | undefined;
  #lookedAtMs = Number.NEGATIVE_INFINITY;

  /**
   * Call it once the database is open and has been read: while SQLite has a file open, no other file has its inode number.
   * @param path absolute, without symbolic links
   */
  constructor(path: string) {
    // Windows keeps locks per handle, and does not let anyone remove an open file.
    const suffixes = process.platform === 'win32' ? [] : SUFFIXES;
    this.#files = suffixes.flatMap((suffix) => {
      const found = statSync(`${path}${suffix}`, STAT_OPTIONS);
      return found === undefined ? [] : [{ path: `${path}${suffix}`, dev: found.dev, ino: found.ino }];
    });
  }

  /** Undefined while the paths lead to the open files; once they have not, the fault remains. */
  get fault(): StoreUnavailableError | undefined {
    if (this.#fault !== undefined) return this.#fault;
    this.#lookedAtMs = performance.now();
    for (const file of this.#files) {
      const reason = reasonOf(file);
      if (reason === undefined) continue;
      const message = `${file.path} ${reason}: ${REMEDY}`;
      this.#fault = new StoreUnavailableError(message, {
        cause: sqliteFailure(message, 'SQLITE_READONLY_DBMOVED'),
      });
      break;
    }
    return this.#fault;
  }

  /** @throws StoreUnavailableError when other processes read other files than those open here */
  check(): void {
    const { fault } = this;
    if (fault !== undefined) throw fault;
  }

  /** As `check`, unless it ran a moment ago. */
  checkAhead(): void {
    if (this.#fault !== undefined || performance.now() - this.#lookedAtMs > RECENT_MS) this.check();
  }
}

function reasonOf({ path, dev, ino }: OpenFile): string | undefined {
  let found: BigIntStats | undefined;
  try {
    found = statSync(path, STAT_OPTIONS);
  } catch (error) {
    return `cannot be checked (${error instanceof Error ? error.message : String(error)})`;
  }
  if (found === undefined) return 'was removed while it was open';
  return found.dev === dev && found.ino === ino ? undefined : 'was replaced while it was open';
}
