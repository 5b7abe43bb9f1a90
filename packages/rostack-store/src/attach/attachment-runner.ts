import { setTimeout as delay } from 'node:timers/promises';
import type { StoreAlarm } from '../errors/index.ts';
import type { StoredResource } from '../schema/stored-resource.ts';
import { adoptTable } from './adopt-table.ts';
import type { AttachedResource } from './attached-resource.ts';
import { type Attachment, readAttachment } from './attachment.ts';
import { rowMapping } from './column-mapping.ts';
import { isOfOtherRelease } from './layout.ts';
import { DeposedError, LeaderLease, takeOver } from './leader-lease.ts';
import { type MoveFault, moveFaultOf } from './move-fault.ts';
import type { StoreParts } from './store-parts.ts';
import { type TableReader, tableReaderFor } from './table-reader.ts';
import { type ResolvedSource, tableNameOf } from './table-source.ts';
import { installerFor } from './with-installer.ts';
import { type Batch, writeBatch } from './write-batch.ts';

/**
 * What a mover does for a resource. `standby`: another process leads, or none yet; `loading`: it copies the table and moves changes;
 * `following`: it moves changes; `failing`: its attempts fail, and it tries again; `stopped`: an operator has to act.
 */
export type MoverState = 'standby' | 'loading' | 'following' | 'failing' | 'stopped';

/** What a mover does for one resource, as its process sees it. */
export interface MoverStatus {
  /** Name of the resource. */
  readonly resource: string;
  /**
   * `standby`: another process leads, or none yet; `loading`: it copies the table; `following`: it moves changes;
   * `failing`: its attempts fail until the fault is over, see `reason`; `stopped`: an operator has to act, see `reason`.
   */
  readonly state: MoverState;
  /** Why it is failing or stopped. */
  readonly reason: string | undefined;
  /** While it is failing. */
  readonly fault: MoverFault | undefined;
  /** Rows that this process has copied since it last began to. */
  readonly loadedRows: number;
  /**
   * How long ago the oldest change was made that is not in the log, in ms; 0 if there is none. Where that cannot be asked: how long ago
   * there was none.
   */
  readonly oldestUnmovedMs: number;
  /** Row changes that this process has moved out of the inbox. */
  readonly movedRows: number;
  /** How often the resource has refused a row. */
  readonly refusedRows: number;
}

/** What keeps a mover from moving rows. */
export interface MoverFault {
  /** SQLSTATE, or code of SQLite or of the system; undefined if there is none. */
  readonly code: string | undefined;
  /** What is wrong and what to do, without what the server says; undefined if nothing is known of the code. */
  readonly advice: string | undefined;
  /** How long it has lasted, in ms. */
  readonly forMs: number;
  /** Attempts that failed. */
  readonly failures: number;
}

/** A fault since its first failure. */
interface Failing extends MoveFault {
  readonly sinceMs: number;
  readonly failures: number;
  readonly toldMs: number;
}

type Kept = Omit<MoverStatus, 'fault' | 'oldestUnmovedMs'>;

export interface RunnerTimes {
  readonly pollIntervalMs: number;
  readonly takeoverIntervalMs: number;
  readonly leaseMs: number;
}

const FIRST_WAIT_MS = 10;
const MIN_RETRY_MS = 250;
const MAX_RETRY_MS = 10_000;
/** A fault that lasts is told again after this time. */
const SUMMARY_MS = 300_000;
/** How often a leader that always has work asks for the age of what waits. */
const LOOK_MS = 1_000;
/** A leader that fails gives up, so one that has led for so many leases moves rows. */
const TRUSTED_LEASES = 4;
/** Rows in the first chunk; for later chunks it depends on how many of them have been read at once. */
const FIRST_CHUNK_ROWS = 100;
const MAX_CHUNK_ROWS = 2_000;
/** Rows that are moved at once, until that fails. */
const MAX_BATCH_ROWS = 2_000;

/** Moves the changes of one attached table while its process leads, step by step. */
export class AttachmentRunner {
  readonly #parts: StoreParts;
  readonly #reader: TableReader;
  readonly #target: StoredResource;
  readonly #source: ResolvedSource;
  readonly #times: RunnerTimes;
  #resource: AttachedResource | undefined;
  #lease: LeaderLease | undefined;
  #status: Kept;
  #failing: Failing | undefined;
  /** The term of another process that leads, and since when that is known. */
  #other: { readonly term: number; readonly sinceMs: number } | undefined;
  #lastTerm: number | undefined;
  /** When the oldest change that waits was made, or the last time when none did. */
  #unmovedSinceMs: number | undefined = performance.now();
  #lookedMs = 0;
  #chunkRows = FIRST_CHUNK_ROWS;
  #batchRows = MAX_BATCH_ROWS;

  constructor(parts: StoreParts, target: StoredResource, source: ResolvedSource, times: RunnerTimes) {
    this.#parts = parts;
    this.#reader = tableReaderFor(parts.database);
    this.#target = target;
    this.#source = source;
    this.#times = times;
    const { name } = target.resource;
    this.#status = {
      resource: name,
      state: 'standby',
      reason: undefined,
      loadedRows: 0,
      movedRows: 0,
      refusedRows: 0,
    };
  }

  get status(): MoverStatus {
    const nowMs = performance.now();
    const oldestUnmovedMs = this.#unmovedSinceMs === undefined ? 0 : nowMs - this.#unmovedSinceMs;
    if (this.#failing === undefined) return { ...this.#status, fault: undefined, oldestUnmovedMs };
    const { code, advice, reason, sinceMs, failures } = this.#failing;
    const fault = { code, advice, forMs: nowMs - sinceMs, failures };
    return { ...this.#status, state: 'failing', reason, fault, oldestUnmovedMs };
  }

  /** Runs until `closing` is aborted; then another process may lead at once. */
  async run(closing: AbortSignal): Promise<void> {
    const { pollIntervalMs, takeoverIntervalMs } = this.#times;
    const wait = (ms: number) => delay(ms, undefined, { signal: closing }).catch(() => {});
    let idleMs = FIRST_WAIT_MS;
    let retryMs = MIN_RETRY_MS;
    while (!closing.aborted) {
      try {
        const result = await this.#step();
        retryMs = MIN_RETRY_MS;
        if (result !== 'waiting') this.#recover();
        if (result === 'waiting' || (result === 'more' && this.#isLookDue())) await this.#lookAtInbox();
        if (result === 'idle') await wait(idleMs);
        if (result === 'waiting') await wait(takeoverIntervalMs);
        idleMs = result === 'more' ? FIRST_WAIT_MS : Math.min(idleMs * 2, pollIntervalMs);
      } catch (cause) {
        if (closing.aborted) break;
        this.#fail(cause);
        await this.#lookAtInbox();
        await wait(retryMs);
        retryMs = Math.min(retryMs * 2, MAX_RETRY_MS);
      }
    }
    await this.#resign();
  }

  get #name(): string {
    return this.#target.resource.name;
  }

  /**
   * Does the next piece of work, at most a transaction or two. A failure ends the leadership: the fate of the transaction is unknown, and
   * the next leader checks.
   * @returns `more`: there may be more to do now; `idle`: nothing was left; `waiting`: another process leads, or an operator has to act
   */
  async #step(): Promise<'more' | 'idle' | 'waiting'> {
    try {
      this.#resource ??= await this.#lead();
      return this.#resource === undefined ? 'waiting' : await this.#work(this.#resource);
    } catch (error) {
      await this.#resign();
      if (error instanceof DeposedError) return 'waiting';
      throw error;
    }
  }

  async #resign(): Promise<void> {
    const lease = this.#lease;
    this.#lease = undefined;
    this.#resource = undefined;
    if (this.#status.state !== 'stopped') this.#resume('standby');
    await lease?.[Symbol.asyncDispose]();
  }

  /** Becomes the leader if the table is attached as configured and no other process leads. */
  async #lead(): Promise<AttachedResource | undefined> {
    const { database, schema } = this.#parts;
    const present = await database.read(() => readAttachment(schema, this.#name));
    const obstacle = this.#obstacle(present);
    if (obstacle !== undefined) this.#stop(`${obstacle}: run attach`);
    if (present === undefined || obstacle !== undefined) return undefined;
    const mapping = rowMapping(present, this.#target.resource.schema);
    const { leaseMs } = this.#times;
    const attachment = await database.write(() =>
      takeOver(database.dialect, present, mapping.digest, leaseMs),
    );
    if (attachment === undefined) {
      this.#resume('standby');
      this.#standBy(present.term);
      return undefined;
    }
    this.#lastTerm = attachment.term;
    this.#other = undefined;
    this.#lease = new LeaderLease(database, attachment, leaseMs);
    return { parts: this.#parts, target: this.#target, attachment, mapping };
  }

  #obstacle(attachment: Attachment | undefined): string | undefined {
    const table = tableNameOf(this.#source);
    if (attachment === undefined) return `${table} is not attached`;
    if (isOfOtherRelease(attachment.layout, this.#parts.database.dialect))
      return `${table} was attached by another release`;
    if (JSON.stringify(attachment.source) === JSON.stringify(this.#source)) return undefined;
    return `${tableNameOf(attachment.source)} is attached in another way than it is configured`;
  }

  async #work(resource: AttachedResource): Promise<'more' | 'idle' | 'waiting'> {
    const asked = this.#batchRows;
    // After a failure batches are smaller too.
    this.#batchRows = Math.max(1, Math.floor(asked / 2));
    const moved = await this.#reader.readInbox(resource, asked);
    if (moved !== undefined && 'change' in moved) {
      if (await this.#adopt(resource)) return 'more';
      this.#stop(`${moved.change}; take the change back, or run attach`);
      return 'waiting';
    }
    if (moved !== undefined && moved.movedRows > 0) {
      this.#batchRows = Math.max(1, Math.floor(Math.min(asked, moved.movedRows) / 2));
    }
    let current = moved === undefined ? resource : await this.#write(resource, moved);
    this.#batchRows = Math.min(MAX_BATCH_ROWS, 2 * asked);
    const chunk = current.attachment.phase === 'live' ? undefined : await this.#workOnChunk(current);
    current = chunk ?? current;
    this.#resource = current;
    if (moved === undefined) this.#unmovedSinceMs = undefined;
    this.#resume(current.attachment.phase === 'live' ? 'following' : 'loading');
    return moved === undefined && chunk === undefined ? 'idle' : 'more';
  }

  /** Whether the table is like the one that was attached, so that its rows are read instead. */
  async #adopt(resource: AttachedResource): Promise<boolean> {
    const { database } = this.#parts;
    const { schema } = this.#target.resource;
    const attachment = await database.write(() =>
      adoptTable(installerFor(database), resource.attachment, schema),
    );
    if (attachment === undefined) return false;
    this.#resource = { ...resource, attachment, mapping: rowMapping(attachment, schema) };
    this.#resume('loading');
    return true;
  }

  /**
   * Reads and writes the next chunk of the table; undefined if the table is not as it was attached. After a failure chunks are smaller: it
   * may have been too large for some limit.
   */
  async #workOnChunk(resource: AttachedResource): Promise<AttachedResource | undefined> {
    const asked = this.#chunkRows;
    this.#chunkRows = Math.max(1, Math.floor(asked / 2));
    const chunk = await this.#reader.readChunk(resource, asked);
    const written = chunk && (await this.#write(resource, chunk));
    if (chunk !== undefined) {
      const before =
        resource.attachment.place === null && resource.attachment.phase === 'load'
          ? 0
          : this.#status.loadedRows;
      const isLoad = resource.attachment.phase === 'load';
      this.#status = { ...this.#status, loadedRows: isLoad ? before + chunk.rows : before };
    }
    const fitting = chunk?.isCut === true ? chunk.rows : asked;
    this.#chunkRows = Math.max(1, Math.min(MAX_CHUNK_ROWS, 2 * fitting));
    return written;
  }

  async #write(resource: AttachedResource, batch: Batch): Promise<AttachedResource> {
    const { moved, refused } = await this.#parts.database.write(() => writeBatch(resource, batch));
    if (moved.length > 0) this.#parts.onMoved(moved);
    const { movedRows, refusedRows } = this.#status;
    this.#status = {
      ...this.#status,
      movedRows: movedRows + batch.movedRows,
      refusedRows: refusedRows + refused.length,
    };
    const [first, ...others] = refused;
    if (first !== undefined) {
      const more = others.length === 0 ? '' : ` and ${others.length} more`;
      this.#alarm(
        'rows_quarantined',
        `${this.#name}: the row ${JSON.stringify(first.id.slice(0, 100))}${more} of ${tableNameOf(this.#source)} cannot be a record, so what was served before stays: ${first.reason}`,
      );
    }
    return { ...resource, attachment: { ...resource.attachment, ...batch.progress } };
  }

  /** Keeps the fault until rows are moved; raises the alarm for a new cause, and again in long intervals. */
  #fail(cause: unknown): void {
    const nowMs = performance.now();
    const found = moveFaultOf(cause);
    const known = this.#failing;
    const { sinceMs, failures, toldMs } = known ?? { sinceMs: nowMs, failures: 0, toldMs: nowMs };
    const isSame = known?.code === found.code && (found.code !== undefined || known?.reason === found.reason);
    const isNews = known === undefined || !isSame;
    const isTold = !isNews && nowMs - toldMs < SUMMARY_MS;
    this.#failing = { ...found, sinceMs, failures: failures + 1, toldMs: isTold ? toldMs : nowMs };
    if (this.#status.state === 'stopped') this.#resume('standby');
    this.#unmovedSinceMs ??= nowMs;
    if (isTold) return;
    const told = failures === 0 ? '' : `, ${failures + 1} times in ${seconds(nowMs - sinceMs)}`;
    this.#alarm(
      'move_failed',
      `moving rows of ${this.#name} failed and is tried again${told}: ${found.reason}`,
      cause,
    );
  }

  #recover(): void {
    if (this.#failing === undefined) return;
    const { failures, sinceMs } = this.#failing;
    this.#failing = undefined;
    const forMs = performance.now() - sinceMs;
    this.#alarm(
      'move_resumed',
      `rows of ${this.#name} are moved again, after ${failures} failures in ${seconds(forMs)}`,
    );
  }

  /** Another process leads. A fault of this one is over when that one has led for long, which a failing one does not. */
  #standBy(term: number): void {
    const nowMs = performance.now();
    if (this.#other?.term !== term) this.#other = { term, sinceMs: nowMs };
    const isTrusted = nowMs - this.#other.sinceMs > TRUSTED_LEASES * this.#times.leaseMs;
    if (isTrusted && term !== this.#lastTerm) this.#recover();
  }

  #isLookDue(): boolean {
    return performance.now() - this.#lookedMs > LOOK_MS;
  }

  /** Where notes have no time: changes wait from the last time when rows were moved; what another process moves is not known. */
  #unmovedWithoutTimes(): number | undefined {
    if (this.#failing !== undefined || this.#status.state === 'stopped')
      return this.#unmovedSinceMs ?? performance.now();
    return this.#status.state === 'standby' ? undefined : performance.now();
  }

  /** Asks how long changes have waited that this process does not move now. */
  async #lookAtInbox(): Promise<void> {
    this.#lookedMs = performance.now();
    try {
      const waitedMs = await this.#reader.oldestNoteMs(this.#parts, this.#name);
      if (waitedMs === 'unknown') this.#unmovedSinceMs = this.#unmovedWithoutTimes();
      else this.#unmovedSinceMs = waitedMs === undefined ? undefined : performance.now() - waitedMs;
    } catch {
      this.#unmovedSinceMs ??= performance.now();
    }
  }

  /** Raises the alarm only once for the same reason, until it resumes. */
  #stop(reason: string): void {
    const isNews = this.#status.state !== 'stopped' || this.#status.reason !== reason;
    this.#status = { ...this.#status, state: 'stopped', reason };
    this.#failing = undefined;
    if (isNews) {
      this.#alarm('attachment_stopped', `${this.#name} is stopped, other resources go on: ${reason}`);
    }
  }

  #resume(state: MoverState): void {
    this.#status = { ...this.#status, state, reason: undefined };
  }

  #alarm(code: StoreAlarm['code'], message: string, cause?: unknown): void {
    this.#parts.options.onAlarm({ code, resource: this.#name, message, cause });
  }
}

const seconds = (ms: number): string => `${Math.round(ms / 1_000)} s`;
