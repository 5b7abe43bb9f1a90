import type { Work } from '../../database.ts';
import { SqliteReader } from './reader.ts';

/** Reader threads of one file: started when needed, then kept. */
export class SqliteReaders {
  readonly #file: string;
  readonly #onFailure: (cause: Error) => void;
  readonly #idle = new Set<SqliteReader>();
  readonly #all = new Set<SqliteReader>();

  /** @param onFailure called when a thread has ended by itself */
  constructor(file: string, onFailure: (cause: Error) => void) {
    this.#file = file;
    this.#onFailure = onFailure;
  }

  /** Runs the work in an idle thread, or a new one. @throws as `SqliteReader.read` */
  async read<T>(work: () => Work<T>, durationMs: number): Promise<T> {
    const [reader = this.#start()] = this.#idle;
    this.#idle.delete(reader);
    try {
      return await reader.read(work, durationMs);
    } finally {
      if (this.#all.has(reader)) this.#idle.add(reader);
    }
  }

  /** Interrupts their statements, and ends them. */
  async close(): Promise<void> {
    const readers = [...this.#all];
    this.#all.clear();
    await Promise.all(readers.map((reader) => reader.close()));
  }

  #start(): SqliteReader {
    const reader: SqliteReader = new SqliteReader(this.#file, (cause) => {
      this.#all.delete(reader);
      this.#idle.delete(reader);
      this.#onFailure(cause);
    });
    this.#all.add(reader);
    return reader;
  }
}
