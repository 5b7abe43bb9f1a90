import { mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { defineError, parseTrustedJson } from 'rostack-core';
import { z } from 'zod';
import { isLocked } from '../serving/store/is-locked.ts';

const COMPANIONS = ['', '-wal', '-shm'];

const countsModel = z.strictObject({
  lines: z.number(),
  created: z.number(),
  updated: z.number(),
  unchanged: z.number(),
  refused: z.number(),
});

const progressModel = z.strictObject({
  /** Identifies the import; one with another identity starts from the beginning. */
  identity: z.string(),
  /** Where reading continues, in bytes of the uncompressed text. */
  offset: z.number(),
  linesBefore: z.number(),
  header: z.array(z.string()).optional(),
  /** Head of the resource when the import began. */
  startPosition: z.number(),
  rejectsBytes: z.number(),
  /** Whether the text ended in the middle of a record. */
  isCutOff: z.boolean().optional(),
  counts: countsModel,
});

/** How far an import has come. */
export type ImportProgress = z.infer<typeof progressModel>;
export type ImportCounts = z.infer<typeof countsModel>;

/** Another process is importing the same file into the same resource. */
export class ImportRunningError extends defineError('ImportRunningError', 'import_running', true) {
  constructor() {
    super('another import of this file into this resource is running');
  }
}

/**
 * How far an import has come, and the ids that it has seen, in a small database in the gateway's data folder. Both move together, and only
 * after the store has the records, so a killed import continues after the last batch that was certainly written.
 */
export class ImportCheckpoint implements Disposable {
  readonly #database: Sqlite.Database;
  readonly #file: string;
  readonly #isResumable: boolean;
  readonly #addSeen: Sqlite.Statement<[string]>;
  readonly #isSeen: Sqlite.Statement<[string]>;

  /**
   * Opens the checkpoint and keeps other processes out. One that is not resumable is deleted when it is disposed of.
   * @throws ImportRunningError `import_running`
   */
  constructor(file: string, { isResumable }: { readonly isResumable: boolean }) {
    this.#file = file;
    this.#isResumable = isResumable;
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    try {
      this.#database = new Sqlite(file, { timeout: 0 });
      this.#database.pragma('locking_mode = exclusive');
      this.#database.pragma('journal_mode = wal');
      this.#database.pragma('synchronous = normal');
      this.#database.exec(`create table if not exists progress (single integer primary key check (single = 1), body text not null);
        create table if not exists seen (id text primary key) without rowid;`);
    } catch (error) {
      throw isLocked(error) ? new ImportRunningError() : error;
    }
    this.#addSeen = this.#database.prepare('insert into seen (id) values (?) on conflict do nothing');
    this.#isSeen = this.#database.prepare('select 1 from seen where id = ?');
  }

  /** The progress of an earlier run of the same import. If there is none, it clears any other progress and returns undefined. */
  resume(identity: string): ImportProgress | undefined {
    const body = this.#database.prepare('select body from progress').pluck().get();
    const found = typeof body === 'string' ? progressModel.safeParse(parseTrustedJson(body)) : undefined;
    if (found?.success === true && found.data.identity === identity) return found.data;
    this.clear();
    return undefined;
  }

  /** Forgets everything. */
  clear(): void {
    this.#database.exec('delete from progress; delete from seen;');
  }

  /** Saves the progress and the ids in one transaction. */
  save(progress: ImportProgress, seenIds: readonly string[]): void {
    this.#database.transaction(() => {
      for (const id of seenIds) this.#addSeen.run(id);
      this.#database
        .prepare(
          'insert into progress (single, body) values (1, ?) on conflict (single) do update set body = excluded.body',
        )
        .run(JSON.stringify(progress));
    })();
  }

  hasSeen(id: string): boolean {
    return this.#isSeen.get(id) !== undefined;
  }

  /** Closes and deletes the checkpoint, once the import is done. */
  remove(): void {
    this.#database.close();
    for (const companion of COMPANIONS) rmSync(`${this.#file}${companion}`, { force: true });
  }

  [Symbol.dispose](): void {
    if (this.#isResumable) this.#database.close();
    else this.remove();
  }
}
