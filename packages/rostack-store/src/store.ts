import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { aFunction, aText, type PageQuery, type RecordSource } from 'rostack-core';
import { ApplyQueue } from './apply/apply-queue.ts';
import type { ChangeResult, StoreChange } from './apply/change.ts';
import { prepareChanges } from './apply/prepare-change.ts';
import { backUpSqlite } from './backup/back-up-sqlite.ts';
import type { Database } from './database/database.ts';
import { SqliteDatabase } from './database/sqlite-database.ts';
import { WriteHealth } from './database/write-health.ts';
import { StoreClosedError, StoreOptionsError } from './errors/index.ts';
import { updateNote } from './notes/update-note.ts';
import { checkOption } from './options/check-option.ts';
import type { PageExplanation } from './page/explain-page.ts';
import type { PageLimits } from './page/page-limits.ts';
import { prune } from './retention/prune.ts';
import { writeEpoch } from './schema/epoch.ts';
import { MIGRATIONS } from './schema/migrations.ts';
import type { StoredResource } from './schema/stored-resource.ts';
import { registerInternals } from './store-internals.ts';
import type { ResolvedStoreOptions, StoreStatus } from './store-options.ts';
import { StoreRecordSource } from './store-record-source.ts';
import { TokenTable } from './token/token-table.ts';
import { watchFailed } from './watch/watch-failed.ts';
import { Watchers } from './watch/watchers.ts';

const TRIAL_NOTE = 'write-trial';
/** 64 KiB as text; random, so that no compression makes it fit where nothing else does. */
const TRIAL_BYTES = 49_152;

/** Records of several resources in one database, with one change log for each. */
export class Store implements AsyncDisposable {
  /** Shared tokens of whoever serves the records. */
  readonly tokens: TokenTable;
  readonly #database: Database;
  readonly #resources: ReadonlyMap<string, StoredResource>;
  readonly #options: ResolvedStoreOptions;
  readonly #watchers: Watchers;
  readonly #queue: ApplyQueue;
  readonly #writes: WriteHealth;
  readonly #sources: ReadonlyMap<string, StoreRecordSource>;
  readonly #pruneTimer: NodeJS.Timeout | undefined;
  #epoch: string;
  #pruning: Promise<number> | undefined;
  #closing: Promise<void> | undefined;

  /** Use `openStore`. */
  constructor(
    database: Database,
    resources: ReadonlyMap<string, StoredResource>,
    epoch: string,
    options: ResolvedStoreOptions,
    pageLimits: PageLimits,
  ) {
    this.#writes = new WriteHealth(database);
    this.tokens = new TokenTable(database, options.nowMs);
    this.#database = database;
    this.#resources = resources;
    this.#epoch = epoch;
    this.#options = options;
    this.#watchers = new Watchers(database, options.hints, watchFailed(options.onAlarm));
    const onMoved = (moved: readonly string[]) => {
      this.#watchers.notify(moved);
      database.hint(moved);
      this.#watchers.publish(moved);
    };
    this.#queue = new ApplyQueue(database, options, onMoved);
    registerInternals(this, { database, resources, options, onMoved });
    const { readTimeoutMs: pageTimeoutMs, onAlarm } = options;
    const dependencies = { database, watchers: this.#watchers, pageTimeoutMs, pageLimits, onAlarm };
    this.#sources = new Map(
      [...resources].map(([name, target]) => [name, new StoreRecordSource(target, dependencies)]),
    );
    if (options.retention.intervalMs > 0) {
      this.#pruneTimer = setInterval(() => {
        this.#pruneByItself();
      }, options.retention.intervalMs).unref();
    }
  }

  /** Id of the database's history as this process last wrote or read it; `head()` of a source reads it anew. */
  get epoch(): string {
    return this.#epoch;
  }

  /**
   * Writes a batch in one transaction: all of it or nothing. Changes to one record apply in their order. A put equal to the
   * current record, and a delete of nothing, change nothing and take no position. Resolves when the batch is committed.
   * @returns one result per change, in order
   * @throws RecordInvalidError `record_invalid` with a JSON Pointer for each fault
   * @throws ChangeInvalidError `change_invalid` for an unknown resource, a malformed id or an event that does not fit
   * @throws VersionConflictError `version_conflict` with the version that stands
   * @throws StoreUnavailableError `store_unavailable` when the database cannot be written
   */
  async apply(changes: readonly StoreChange[]): Promise<readonly ChangeResult[]> {
    this.#checkOpen();
    const prepared = prepareChanges(changes, this.#resources, this.#options.maxRecordBytes);
    if (prepared.length === 0) return [];
    const results = await this.#queue.add(prepared);
    this.#writes.succeeded();
    return results;
  }

  /**
   * Checks a batch as far as that goes without the database: shapes, schemas, limits, ids and names of events.
   * @throws RecordInvalidError, ChangeInvalidError as `apply`
   */
  check(changes: readonly StoreChange[]): void {
    this.#checkOpen();
    prepareChanges(changes, this.#resources, this.#options.maxRecordBytes);
  }

  /** What the store is doing now; asks nothing of the database. */
  get status(): StoreStatus {
    return {
      dialect: this.#database.dialect.name,
      schemaVersion: MIGRATIONS.length,
      waitingBatches: this.#queue.size,
      pool: this.#database.pool,
      writeFault: this.#writes.fault,
    };
  }

  /**
   * Tries whether the database takes writes: 64 KiB that need room are written, and removed again.
   * @throws StoreUnavailableError `store_unavailable` when the database cannot be written
   */
  async tryWrite(): Promise<void> {
    this.#checkOpen();
    const { dialect } = this.#database;
    const text = randomBytes(TRIAL_BYTES).toString('base64');
    for (const body of [text, '']) {
      await this.#database.write(() => updateNote(dialect, TRIAL_NOTE, () => body));
    }
    this.#writes.succeeded();
  }

  /**
   * Keeps a short text of the application's own in the database, where every process that shares it sees it.
   * @param name not beginning with `rostack-store/`
   * @param update is given the text that stands (undefined: none) and returns the one to keep; what it throws changes nothing
   * @throws StoreUnavailableError `store_unavailable` when the database cannot be written
   */
  async updateNote(name: string, update: (present: string | undefined) => string): Promise<void> {
    this.#checkOpen();
    checkOption(aText, name, 'name');
    checkOption(aFunction, update, 'update');
    await this.#database.write(() => updateNote(this.#database.dialect, name, update));
  }

  /**
   * One resource, to be served or followed.
   * @throws StoreOptionsError when the store was not opened with it
   */
  source(resource: string): RecordSource {
    return this.#source(resource);
  }

  /**
   * Reads a page and says how it was found: by which indexes, in one statement or in slices. For developers.
   * @throws StoreOptionsError as `source`, PositionExpiredError and SourceUnavailableError as `page` of a source
   */
  explain(resource: string, query: PageQuery): Promise<PageExplanation> {
    return this.#source(resource).explain(query);
  }

  /**
   * Drops what is beyond the retention. Readers below the new floor get PositionExpiredError; all others see no difference.
   * @returns how many changes were dropped
   * @throws StoreUnavailableError `store_unavailable` when the database cannot be written
   */
  async prune(): Promise<number> {
    this.#checkOpen();
    this.#pruning ??= this.#prune().finally(() => {
      this.#pruning = undefined;
    });
    return this.#pruning;
  }

  /**
   * Starts a new epoch: every cursor and position handed out so far is void, and consumers take a new snapshot. For use after
   * the database was restored from a backup that this store did not make, or after a failover that may have lost changes.
   */
  async renewEpoch(): Promise<string> {
    this.#checkOpen();
    const epoch = this.#options.randomId();
    await this.#database.write(() => writeEpoch(this.#database.dialect, epoch));
    this.#epoch = epoch;
    return epoch;
  }

  /**
   * Copies a SQLite database to a new file while it is in use. Whoever opens the copy starts a new epoch.
   * @throws StoreOptionsError when the database is not SQLite, or the file exists
   */
  async backUp(file: string): Promise<void> {
    this.#checkOpen();
    checkOption(aText, file, 'file');
    if (!(this.#database instanceof SqliteDatabase)) {
      throw new StoreOptionsError('backUp copies SQLite databases: use pg_dump for PostgreSQL');
    }
    await backUpSqlite(this.#database.handle, file);
  }

  /** Waits for what is under way, then closes the database; later calls fail. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    clearInterval(this.#pruneTimer);
    this.#watchers.close();
    await this.#queue.drained();
    await this.#pruning?.catch(() => {});
    await this.#database.close();
  }

  async #prune(): Promise<number> {
    const database = this.#database;
    const { retention, nowMs } = this.#options;
    let dropped = 0;
    for (const target of this.#resources.values()) {
      let last: number;
      do {
        if (this.#closing !== undefined) return dropped;
        last = await database.write(() => prune(database.dialect, target, retention, nowMs()));
        dropped += last;
        await nextTurn();
      } while (last > 0);
    }
    return dropped;
  }

  #source(resource: string): StoreRecordSource {
    const source = this.#sources.get(resource);
    if (source !== undefined) return source;
    throw new StoreOptionsError(`the store was not opened with the resource ${JSON.stringify(resource)}`);
  }

  #pruneByItself(): void {
    this.prune().catch((cause: unknown) => {
      const message = `pruning failed: ${cause instanceof Error ? cause.message : String(cause)}`;
      this.#options.onAlarm({ code: 'prune_failed', message, resource: undefined, cause });
    });
  }

  #checkOpen(): void {
    if (this.#closing !== undefined) throw new StoreClosedError();
  }
}
