import { setTimeout as delay } from 'node:timers/promises';
import type { Work } from '../../drivers/database.ts';
import type { StoredResource } from '../../schema/stored-resource.ts';
import { type Attachment, readAttachment } from '../attachment/attachment.ts';
import { isOfOtherRelease } from '../attachment/layout.ts';
import { DeposedError, type LeaderLease, type LeaderLeases, takeOver } from '../attachment/leader-lease.ts';
import type { AttachedResource } from '../batch/attached-resource.ts';
import type { Batch } from '../batch/batch.ts';
import { type CheckedBatch, checkBatch } from '../batch/check-batch.ts';
import { ChunkAhead } from '../batch/chunk-ahead.ts';
import { writeBatch } from '../batch/write-batch.ts';
import type { Installer } from '../driver/installer.ts';
import type { TableReader } from '../driver/table-reader.ts';
import { adoptTable } from '../install/adopt-table.ts';
import { attachDriverOf } from '../install/attach-driver-of.ts';
import { rowMapping } from '../row/column-mapping.ts';
import { qualified, query } from '../source/query.ts';
import type { StoreParts } from '../source/store-parts.ts';
import { type ResolvedSource, tableNameOf } from '../source/table-source.ts';
import type { InboxPoller } from './inbox-poller.ts';
import { isPerhapsOfSize } from './move-fault.ts';
import type { MoverStatus, TableRunner } from './mover-status.ts';
import { ReadSize } from './read-size.ts';
import { RunnerStatus } from './runner-status.ts';
import { SeenInbox } from './seen-inbox.ts';
import type { StandbyPoller } from './standby-poller.ts';
import { UnmovedAge } from './unmoved-age.ts';

export interface RunnerTimes {
  readonly pollIntervalMs: number;
  readonly takeoverIntervalMs: number;
  readonly leaseMs: number;
}

/** What the runners of one process share. */
export interface SharedByRunners {
  readonly poller: InboxPoller;
  readonly standbys: StandbyPoller;
  readonly leases: LeaderLeases;
}

/** Delay of the first poll after something was moved. */
const FIRST_WAIT_MS = 0;
const MIN_RETRY_MS = 250;
const MAX_RETRY_MS = 10_000;
/** A leader that fails gives up, so one that has led for this many leases does move rows. */
const TRUSTED_LEASES = 4;
/** Rows in the first chunk; the size of later chunks follows from the reads so far. */
const FIRST_CHUNK_ROWS = 100;
const MAX_CHUNK_ROWS = 2_000;
/** Rows moved at once, until that fails. */
const MAX_BATCH_ROWS = 2_000;

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  delay(ms, undefined, { signal }).catch(() => {});

/** Moves the changes of one attached table while its process leads, step by step. */
export class AttachmentRunner implements TableRunner {
  readonly #parts: StoreParts;
  readonly #installer: Installer;
  readonly #reader: TableReader;
  readonly #target: StoredResource;
  readonly #source: ResolvedSource;
  readonly #times: RunnerTimes;
  readonly #shared: SharedByRunners;
  #resource: AttachedResource | undefined;
  #lease: LeaderLease | undefined;
  readonly #status: RunnerStatus;
  /** The attachment as it was when this process could not take it over. */
  #ledByOther: Attachment | undefined;
  /** The term of another process that leads, and since when this process knows. */
  #other: { readonly term: number; readonly sinceMs: number } | undefined;
  #lastTerm: number | undefined;
  readonly #seen: SeenInbox;
  readonly #unmoved: UnmovedAge;
  readonly #ahead: ChunkAhead;
  readonly #chunkSize = new ReadSize(FIRST_CHUNK_ROWS, MAX_CHUNK_ROWS);
  readonly #batchSize = new ReadSize(MAX_BATCH_ROWS, MAX_BATCH_ROWS);

  constructor(
    parts: StoreParts,
    target: StoredResource,
    source: ResolvedSource,
    times: RunnerTimes,
    shared: SharedByRunners,
  ) {
    this.#parts = parts;
    const { installer, reader } = attachDriverOf(parts.database);
    this.#installer = installer;
    this.#reader = reader;
    this.#ahead = new ChunkAhead(reader.readChunk);
    this.#target = target;
    this.#source = source;
    this.#times = times;
    this.#shared = shared;
    this.#status = new RunnerStatus(target.resource.name, source, parts.options.onAlarm);
    this.#seen = new SeenInbox(parts.options.nowMs);
    this.#unmoved = new UnmovedAge(this.#reader);
  }

  get status(): MoverStatus {
    return this.#status.now(this.#unmoved.ms);
  }

  /** Runs until `closing` is aborted; afterwards another process may lead at once. */
  async run(closing: AbortSignal): Promise<void> {
    const { pollIntervalMs } = this.#times;
    let firstPauseMs = FIRST_WAIT_MS;
    let retryMs = MIN_RETRY_MS;
    while (!closing.aborted) {
      try {
        const result = await this.#step();
        retryMs = MIN_RETRY_MS;
        if (result !== 'waiting') this.#status.fault.recover();
        const isBusy = result === 'more' || result === 'moved';
        if (result === 'waiting' || (isBusy && this.#unmoved.isLookDue)) await this.#measureUnmoved();
        if (isBusy) firstPauseMs = FIRST_WAIT_MS;
        if (result === 'moved' || result === 'idle') await this.#idle(firstPauseMs, closing);
        if (result === 'waiting') await this.#wait(closing);
        if (!isBusy) firstPauseMs = pollIntervalMs;
      } catch (cause) {
        if (closing.aborted) break;
        this.#fail(cause);
        await this.#measureUnmoved();
        await pause(retryMs, closing);
        retryMs = Math.min(retryMs * 2, MAX_RETRY_MS);
      }
    }
    await this.#resign();
  }

  /** Waits until there may be work. */
  async #idle(firstPauseMs: number, closing: AbortSignal): Promise<void> {
    const resource = this.#resource;
    if (resource === undefined) return;
    await this.#shared.poller.wait({ resource, firstPauseMs, beforePoll: () => this.#beforePoll() }, closing);
  }

  #beforePoll(): () => void {
    const seenEmpty = this.#seen.poll();
    return () => {
      seenEmpty();
      this.#unmoved.clear();
    };
  }

  /** Waits until this process may become the leader. */
  async #wait(closing: AbortSignal): Promise<void> {
    const attachment = this.#ledByOther;
    if (attachment === undefined) return pause(this.#times.takeoverIntervalMs, closing);
    const onLed = (oldestNoteMs: number | undefined) => {
      this.#standBy(attachment.term);
      this.#unmoved.found(oldestNoteMs);
    };
    return this.#shared.standbys.wait({ attachment, onLed }, closing);
  }

  get #name(): string {
    return this.#target.resource.name;
  }

  /**
   * Does the next piece of work, at most a transaction or two. A failure ends the leadership: the fate of the transaction is unknown, and
   * the next leader checks it.
   * @returns `more`: there may be more to do now; `moved`: everything that waited was moved, a single row; `idle`: nothing waited;
   * `waiting`: another process leads, or an operator has to act
   */
  async #step(): Promise<'more' | 'moved' | 'idle' | 'waiting'> {
    try {
      this.#resource ??= await this.#lead();
      return this.#resource === undefined ? 'waiting' : await this.#work(this.#resource);
    } catch (error) {
      const isDeposed = error instanceof DeposedError;
      // Smaller batches publish states of the table that were never committed, so only failures that may depend on size reduce them.
      if (isDeposed || !isPerhapsOfSize(error)) this.#restoreSizes();
      await this.#resign();
      if (isDeposed) return 'waiting';
      throw error;
    }
  }

  #restoreSizes(): void {
    this.#batchSize.restore();
    this.#chunkSize.restore();
  }

  async #resign(): Promise<void> {
    const lease = this.#lease;
    this.#lease = undefined;
    this.#resource = undefined;
    if (!this.#status.isStopped) this.#status.resume('standby');
    await this.#ahead.drop();
    await lease?.[Symbol.asyncDispose]();
  }

  /** Becomes the leader if the table is attached as configured and no other process leads. */
  async #lead(): Promise<AttachedResource | undefined> {
    const { database, schema } = this.#parts;
    this.#ledByOther = undefined;
    const present = await database.transaction(() => readAttachment(schema, this.#name));
    const obstacle = this.#obstacle(present);
    if (obstacle !== undefined) this.#status.stop(`${obstacle}: run attach`);
    if (present === undefined || obstacle !== undefined) return undefined;
    const mapping = rowMapping(present, this.#target.resource.schema);
    const taken = await database.write(() => this.#takeOver(present, mapping.digest));
    if (taken === undefined) {
      this.#status.resume('standby');
      this.#standBy(present.term);
      this.#ledByOther = present;
      return undefined;
    }
    this.#lastTerm = taken.attachment.term;
    this.#other = undefined;
    this.#lease = this.#shared.leases.hold(taken.attachment);
    return { parts: this.#parts, target: this.#target, mapping, ...taken };
  }

  *#takeOver(
    present: Attachment,
    mapping: string,
  ): Work<Pick<AttachedResource, 'attachment' | 'copy'> | undefined> {
    const { dialect } = this.#parts.database;
    const attachment = yield* takeOver(dialect, present, mapping, this.#times.leaseMs);
    if (attachment?.phase !== 'load' || attachment.place !== null) return attachment && { attachment };
    // No earlier leader can write any more.
    const records = qualified(attachment.schema, this.#target.tables.record);
    const wasEmpty = (yield* query(`select 1 from ${records} limit 1`)).length === 0;
    return { attachment, copy: { wasEmpty, isAlone: wasEmpty } };
  }

  #obstacle(attachment: Attachment | undefined): string | undefined {
    const table = tableNameOf(this.#source);
    if (attachment === undefined) return `${table} is not attached`;
    if (isOfOtherRelease(attachment.layout, this.#installer.form))
      return `${table} was attached by another release`;
    if (JSON.stringify(attachment.source) === JSON.stringify(this.#source)) return undefined;
    return `${tableNameOf(attachment.source)} is attached differently than it is configured`;
  }

  async #work(resource: AttachedResource): Promise<'more' | 'moved' | 'idle' | 'waiting'> {
    const asked = this.#batchSize.ask();
    this.#seen.ask();
    const moved = await this.#reader.readInbox(resource, asked);
    if (moved !== undefined && 'change' in moved) {
      if (await this.#adopt(resource)) return 'more';
      this.#status.stop(`${moved.change}; take the change back, or run attach`);
      return 'waiting';
    }
    if (moved !== undefined && moved.movedRows > 0) this.#batchSize.found(moved.movedRows, asked);
    let current = moved === undefined ? resource : await this.#writeMoved(resource, moved);
    this.#batchSize.fit(asked);
    const chunk = current.attachment.phase === 'live' ? undefined : await this.#workOnChunk(current, moved);
    current = chunk ?? current;
    this.#resource = current;
    this.#seen.settle(moved === undefined || moved.isWhole === true);
    if (moved === undefined) this.#unmoved.clear();
    this.#status.resume(current.attachment.phase === 'live' ? 'following' : 'loading');
    if (chunk !== undefined) return 'more';
    if (moved === undefined) return 'idle';
    // Several changes arrived during the last step, so more will have arrived during this one.
    return moved.isWhole === true && moved.movedRows <= 1 ? 'moved' : 'more';
  }

  /** Whether the table is like the attached one, so that its rows are read instead. */
  async #adopt(resource: AttachedResource): Promise<boolean> {
    const { database } = this.#parts;
    const { schema } = this.#target.resource;
    const attachment = await database.write(() => adoptTable(this.#installer, resource.attachment, schema));
    if (attachment === undefined) return false;
    const { parts, target } = resource;
    this.#resource = { parts, target, attachment, mapping: rowMapping(attachment, schema) };
    this.#status.resume('loading');
    return true;
  }

  /**
   * Reads and writes the next chunk of the table; undefined if the table is not as it was attached.
   * @param moved the rows just moved out of the inbox
   */
  async #workOnChunk(
    resource: AttachedResource,
    moved: Batch | undefined,
  ): Promise<AttachedResource | undefined> {
    const { phase, place } = resource.attachment;
    const isLoad = phase === 'load';
    const isFirst = isLoad && place === null;
    if (isFirst || (isLoad && !this.#status.isEstimated)) await this.#beginLoad(resource, isFirst);
    const asked = this.#chunkSize.ask();
    const ids = new Set(moved?.changes.map(({ id }) => id));
    const chunk = await this.#ahead.take(resource, asked, ids);
    if (chunk === undefined) {
      this.#chunkSize.fit(asked);
      return undefined;
    }
    const fitting = chunk.isCut ? chunk.rows : asked;
    const next = advanced(resource, chunk);
    if (isLoad && next.attachment.phase === 'load') this.#ahead.begin(next, this.#chunkSize.after(fitting));
    await this.#write(resource, chunk);
    if (isLoad) this.#status.loaded(chunk.rows);
    this.#chunkSize.fit(fitting);
    return next;
  }

  /** A failed estimate counts as unknown. */
  async #beginLoad(resource: AttachedResource, isFirstChunk: boolean): Promise<void> {
    const estimatedRows = await this.#reader.estimateRows(resource).catch(() => undefined);
    this.#status.beginLoad(estimatedRows, isFirstChunk);
  }

  async #writeMoved(resource: AttachedResource, batch: Batch): Promise<AttachedResource> {
    // Moved rows may include rows that are still to be copied.
    const { copy, ...rest } = resource;
    const joined = copy === undefined ? rest : { ...rest, copy: { ...copy, isAlone: false } };
    await this.#write(joined, await checkBatch(joined, batch, (change) => this.#seen.occurredAtMs(change)));
    return advanced(joined, batch);
  }

  async #write(resource: AttachedResource, batch: CheckedBatch): Promise<void> {
    const { moved, refused } = await this.#parts.database.write(() => writeBatch(resource, batch));
    if (moved.length > 0) this.#parts.onMoved(moved);
    this.#status.wrote(batch.movedRows, refused);
  }

  #fail(cause: unknown): void {
    this.#status.fault.fail(cause);
    if (this.#status.isStopped) this.#status.resume('standby');
    this.#unmoved.suspect();
  }

  /** Another process leads. A fault of this process counts as over when the other has led for long, since a failing leader gives up. */
  #standBy(term: number): void {
    const nowMs = performance.now();
    if (this.#other?.term !== term) this.#other = { term, sinceMs: nowMs };
    const isTrusted = nowMs - this.#other.sinceMs > TRUSTED_LEASES * this.#times.leaseMs;
    if (isTrusted && term !== this.#lastTerm) this.#status.fault.recover();
  }

  #measureUnmoved(): Promise<void> {
    return this.#unmoved.look(this.#parts, this.#name);
  }
}

/**
 * The resource after a batch is written. If its table has to be read again, records of the earlier copy remain, so this is no longer a
 * first copy.
 */
function advanced({ copy, ...resource }: AttachedResource, { progress }: Batch): AttachedResource {
  const isAgain = progress.phase === 'load' && progress.place === null;
  const attachment = { ...resource.attachment, ...progress };
  return { ...resource, attachment, ...(copy !== undefined && !isAgain && { copy }) };
}
