import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { aFunction, aString, type PageQuery, type RecordSource } from 'rostack-core';
import {
  type AppTransaction,
  isSqliteConnection,
  type SqliteConnection,
} from '../drivers/app-transaction.ts';
import type { Database, Work } from '../drivers/database.ts';
import { WriteHealth } from '../drivers/write-health.ts';
import { StoreClosedError, StoreOptionsError, StoreReadOnlyError } from '../errors/index.ts';
import { HeadReads } from '../log/read-head.ts';
import { prune } from '../log/retention/prune.ts';
import type { MovedLog } from '../log/watch/moved-log.ts';
import { watchFailed } from '../log/watch/watch-failed.ts';
import { Watchers } from '../log/watch/watchers.ts';
import type { PageExplanation } from '../page/explain-page.ts';
import type { PageLimits } from '../page/plan/page-limits.ts';
import { dropEndedRates } from '../rate/rate-statements.ts';
import { RateTable } from '../rate/rate-table.ts';
import { writeEpoch } from '../schema/epoch.ts';
import { MIGRATIONS } from '../schema/migrations.ts';
import type { StoredResource } from '../schema/stored-resource.ts';
import { TokenTable } from '../token/token-table.ts';
import { ApplyQueue } from '../write/apply/apply-queue.ts';
import type { ChangeResult, StoreChange } from '../write/apply/change.ts';
import { prepareChanges } from '../write/apply/prepare-change.ts';
import { type Written, writeAlone } from '../write/apply/write-batches.ts';
import { updateNote } from '../write/update-note.ts';
import { ApplyWithin } from '../write/within/apply-within.ts';
import { CommitWatch } from '../write/within/commit-watch.ts';
import { checkOption } from './options/check-option.ts';
import { registerInternals } from './store-internals.ts';
import type { ResolvedStoreOptions, StoreStatus } from './store-options.ts';
import { StoreRecordSource } from './store-record-source.ts';

const TRIAL_NOTE = 'rostack-store/write-trial';
/** 64 KiB as text; random, so that compression cannot make it fit on a full disk. */
const TRIAL_BYTES = 49_152;

/** The name of a writable resource, or any string if the names are only known at run time. */
type KnownName<Name extends string, Change extends StoreChange> = string extends Name
  ? Name
  : Change['resource'];

/** Records of several resources in one database, with one change log for each; `Change` is what may be written. */
export class Store<Change extends StoreChange = StoreChange> implements AsyncDisposable {
  /** Shared tokens for the server of these records. */
  readonly tokens: TokenTable;
  readonly #database: Database;
  readonly #resources: ReadonlyMap<string, StoredResource>;
  readonly #options: ResolvedStoreOptions;
  readonly #watchers: Watchers;
  readonly #queue: ApplyQueue;
  readonly #within: ApplyWithin;
  readonly #commits: CommitWatch;
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
    const onMoved = (moved: readonly MovedLog[]) => {
      this.#watchers.tell(moved);
      const names = moved.map(({ resource }) => resource);
      database.hint(names);
      this.#watchers.publish(names);
    };
    this.#queue = new ApplyQueue(database, options, onMoved);
    this.#within = new ApplyWithin(database, epoch);
    this.#commits = new CommitWatch(
      (name) => this.#source(name),
      (resource) => onMoved([{ resource, committed: undefined }]),
      options.pollIntervalMs,
    );
    registerInternals(this, { database, resources, options, onMoved });
    const { readTimeoutMs: pageTimeoutMs, onAlarm, role } = options;
    const headReads = new HeadReads(database);
    const dependencies = {
      database,
      headReads,
      watchers: this.#watchers,
      pageTimeoutMs,
      pageLimits,
      onAlarm,
      role,
    };
    this.#sources = new Map(
      [...resources].map(([name, target]) => [name, new StoreRecordSource(target, dependencies)]),
    );
    if (options.retention.intervalMs > 0) {
      this.#pruneTimer = setInterval(() => {
        this.#pruneByItself();
      }, options.retention.intervalMs).unref();
    }
  }

  /**
   * Budgets that are shared by all processes over the database.
   * @throws StoreOptionsError if the database is not PostgreSQL
   */
  get rates(): RateTable {
    if (this.#database.dialect.sharesRates) return new RateTable(this.#database);
    throw new StoreOptionsError('rates are shared through PostgreSQL: leave that out with SQLite');
  }

  /** Id of the database's history as this process last wrote or read it; `head()` of a source reads it from the database. */
  get epoch(): string {
    return this.#epoch;
  }

  /**
   * Writes a batch in one transaction: all of it or nothing. Changes to one record are applied in order. A put equal to the current record,
   * and a delete of nothing, change nothing and take no position. Resolves when the batch is committed.
   * @returns one result per change, in order
   * @throws RecordInvalidError `record_invalid` with a JSON Pointer for each fault
   * @throws ChangeInvalidError `change_invalid` for an unknown resource, a malformed id or an event that does not fit
   * @throws VersionConflictError `version_conflict` with the version that the record is at
   * @throws StoreUnavailableError `store_unavailable` if the database cannot be written
   * @throws StoreReadOnlyError `store_read_only` on a replica, like everything that writes
   */
  async apply(changes: readonly Change[]): Promise<readonly ChangeResult[]> {
    this.#checkOpen();
    const prepared = prepareChanges(changes, this.#resources, this.#options.maxRecordBytes);
    if (prepared.length === 0) return [];
    const results = await this.#queue.add(prepared);
    this.#writes.succeeded();
    return results;
  }

  /**
   * Writes a batch in a transaction that the application has begun on its own connection to the same database and will commit or roll back:
   * its own writes and these changes are one commit. The results are valid if it commits. A call that fails leaves no trace in the
   * transaction, unless the database has aborted it. From the call to the end of the transaction other writers to the same resources have
   * to wait, so call it last.
   * @param transaction of Kysely, or a client of `pg` after `begin`; do not use it until the call is over
   * @returns one result per change, in order
   * @throws TransactionRefusedError `transaction_refused` if it is not a transaction, or one of another database
   * @throws RecordInvalidError, ChangeInvalidError, VersionConflictError as `apply`; what the connection itself throws, as it is
   */
  applyWithin(transaction: AppTransaction, changes: readonly Change[]): Promise<readonly ChangeResult[]>;
  /**
   * The same, but synchronous, for SQLite: call it inside `db.transaction(() => { ... })`.
   * @param connection of the better-sqlite3 that the store uses too, in a transaction, whose main database is the file of the store
   * @throws StoreUnavailableError if a file of the store was removed or replaced while it was open
   */
  applyWithin(connection: SqliteConnection, changes: readonly Change[]): readonly ChangeResult[];
  applyWithin(
    transaction: AppTransaction | SqliteConnection,
    changes: readonly Change[],
  ): readonly ChangeResult[] | Promise<readonly ChangeResult[]> {
    if (!isSqliteConnection(transaction)) return this.#applyWithin(transaction, changes);
    return this.#expect(this.#within.runSync(transaction, this.#workWithin(changes)));
  }

  async #applyWithin(transaction: unknown, changes: readonly Change[]): Promise<readonly ChangeResult[]> {
    return this.#expect(await this.#within.run(transaction, this.#workWithin(changes)));
  }

  #workWithin(changes: readonly Change[]): Work<Written> {
    this.#checkOpen();
    if (this.#options.role === 'replica') throw new StoreReadOnlyError();
    const { maxRecordBytes, nowMs, newTag } = this.#options;
    const prepared = prepareChanges(changes, this.#resources, maxRecordBytes);
    return writeAlone(this.#within.dialect, prepared, nowMs(), newTag(), { handsOver: false });
  }

  #expect({ results, moved }: Written): readonly ChangeResult[] {
    if (this.#closing !== undefined) return results;
    for (const { resource: name } of moved) {
      const last = results.findLast(({ resource, changed }) => resource === name && changed);
      if (last?.position !== undefined) this.#commits.expect(name, last.position);
    }
    return results;
  }

  /**
   * Checks a batch as far as possible without the database: shapes, schemas, limits, ids and names of events.
   * @throws RecordInvalidError, ChangeInvalidError as `apply`
   */
  check(changes: readonly Change[]): void {
    this.#checkOpen();
    prepareChanges(changes, this.#resources, this.#options.maxRecordBytes);
  }

  /** What the store is doing now; does not query the database. */
  get status(): StoreStatus {
    return {
      dialect: this.#database.dialect.name,
      schemaVersion: MIGRATIONS.length,
      waitingBatches: this.#queue.size,
      pool: this.#database.pool,
      statements: this.#database.statements,
      writeFault: this.#writes.fault,
    };
  }

  /**
   * Tests whether the database accepts writes, by writing 64 KiB that need room and removing them again.
   * @throws StoreUnavailableError `store_unavailable` if the database cannot be written
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
   * Stores a short text of the application in the database, visible to every process that shares it.
   * @param name not beginning with `rostack-store/`
   * @param update gets the current text (undefined if there is none) and returns the one to store; if it throws, nothing changes
   * @throws StoreUnavailableError `store_unavailable` if the database cannot be written
   */
  async updateNote(name: string, update: (present: string | undefined) => string): Promise<void> {
    this.#checkOpen();
    checkOption(aString, name, 'name');
    checkOption(aFunction, update, 'update');
    await this.#database.write(() => updateNote(this.#database.dialect, name, update));
  }

  /**
   * The source of one resource, for serving or following it.
   * @throws StoreOptionsError if the store was not opened with it
   */
  source<Name extends string>(resource: KnownName<Name, Change>): RecordSource {
    return this.#source(resource);
  }

  /**
   * Reads a page and says how it was found: by which indexes, in one statement or in slices. For developers.
   * @throws StoreOptionsError as `source`, PositionExpiredError and SourceUnavailableError as `page` of a source
   */
  explain<Name extends string>(
    resource: KnownName<Name, Change>,
    query: PageQuery,
  ): Promise<PageExplanation> {
    return this.#source(resource).explain(query);
  }

  /**
   * Drops everything beyond the retention limits. Readers below the new floor get PositionExpiredError; all others see no difference.
   * @returns how many changes were dropped
   * @throws StoreUnavailableError `store_unavailable` if the database cannot be written
   */
  async prune(): Promise<number> {
    this.#checkOpen();
    this.#pruning ??= this.#prune().finally(() => {
      this.#pruning = undefined;
    });
    return this.#pruning;
  }

  /**
   * Starts a new epoch: every cursor and position handed out so far becomes invalid, and consumers take a new snapshot. Use it after the
   * database was restored from a backup that this store did not make, or after a failover that may have lost changes.
   */
  async renewEpoch(): Promise<string> {
    this.#checkOpen();
    const epoch = this.#options.randomId();
    await this.#database.write(() => writeEpoch(this.#database.dialect, epoch));
    this.#epoch = epoch;
    return epoch;
  }

  /**
   * Copies a SQLite database to a new file while it is in use. Opening the copy starts a new epoch.
   * @throws StoreOptionsError if the database is not SQLite, or the file exists
   */
  async backUp(file: string): Promise<void> {
    this.#checkOpen();
    checkOption(aString, file, 'file');
    await this.#database.backUp(file);
  }

  /** Waits for running work, then closes the database; later calls fail. */
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
    this.#commits.close();
    await this.#queue.drained();
    await this.#pruning?.catch(() => {});
    await this.#database.close();
  }

  async #prune(): Promise<number> {
    const database = this.#database;
    const { retention, nowMs } = this.#options;
    let dropped = 0;
    if (database.dialect.sharesRates) await database.write(() => dropEndedRates(database.dialect));
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
