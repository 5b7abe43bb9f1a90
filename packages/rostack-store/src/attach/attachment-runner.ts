import type { StoredResource } from '../schema/stored-resource.ts';
import { type AttachedResource, DeposedError } from './attached-resource.ts';
import { type Attachment, readAttachment } from './attachment.ts';
import { columnMappings, mappingDigest } from './column-mapping.ts';
import { inboxOf } from './inbox.ts';
import { installedNames } from './installation.ts';
import { isOfOtherRelease, isUntouched, type LayoutLook, layoutQuery } from './layout.ts';
import { LeaderLease } from './leader-lease.ts';
import { readChunk, writeChunk } from './load-chunk.ts';
import { MOVE_LIMITS, moveBatch } from './move-batch.ts';
import type { PostgresParts } from './store-parts.ts';
import { TableReader } from './table-reader.ts';
import type { ResolvedSource } from './table-source.ts';
import { tableNameOf } from './table-source.ts';
import { takeOver } from './take-over.ts';
import type { Refusal } from './write-net-changes.ts';

/**
 * What a mover does for a resource: `standby`: another process leads, or none yet; `loading`: it copies the table, and moves changes;
 * `following`: it moves changes; `stopped`: an operator has to act.
 */
export type MoverState = 'standby' | 'loading' | 'following' | 'stopped';

export interface MoverStatus {
  readonly resource: string;
  readonly state: MoverState;
  /** Why it is stopped. */
  readonly reason: string | undefined;
  /** Row changes that this process has moved out of the inbox. */
  readonly movedRows: number;
  /** Rows that the resource refused, as often as it did. */
  readonly refusedRows: number;
}

export type StepResult = 'more' | 'idle' | 'waiting';

/** Rows of the first chunk; the size of the rows decides on the next. */
const FIRST_CHUNK_ROWS = 100;
const MAX_CHUNK_ROWS = 2_000;
const MAX_CHUNK_CHARACTERS = 16 * 1_048_576;

/** Moves the changes of one attached table while its process leads; one step at a time, driven by the mover. */
export class AttachmentRunner {
  readonly #parts: PostgresParts;
  readonly #target: StoredResource;
  readonly #source: ResolvedSource;
  readonly #leaseMs: number;
  readonly #reader: TableReader;
  #resource: AttachedResource | undefined;
  #lease: LeaderLease | undefined;
  #state: MoverState = 'standby';
  #reason: string | undefined;
  #chunkRows = FIRST_CHUNK_ROWS;
  #movedRows = 0;
  #refusedRows = 0;

  constructor(parts: PostgresParts, target: StoredResource, source: ResolvedSource, leaseMs: number) {
    this.#parts = parts;
    this.#target = target;
    this.#source = source;
    this.#leaseMs = leaseMs;
    this.#reader = new TableReader(parts.database);
  }

  get name(): string {
    return this.#target.resource.name;
  }

  get status(): MoverStatus {
    return {
      resource: this.name,
      state: this.#state,
      reason: this.#reason,
      movedRows: this.#movedRows,
      refusedRows: this.#refusedRows,
    };
  }

  /** Leads no more; another process may at once. */
  async resign(): Promise<void> {
    const lease = this.#lease;
    this.#lease = undefined;
    this.#resource = undefined;
    if (this.#state !== 'stopped') this.#state = 'standby';
    await lease?.[Symbol.asyncDispose]();
  }

  /**
   * Does what there is to do, a transaction or two at most. What fails ends the leadership: what became of the transaction is not known,
   * and the next leader looks.
   * @returns `more`: there may be more at once; `idle`: nothing was left; `waiting`: for others, to end or to act
   */
  async step(): Promise<StepResult> {
    try {
      if (this.#lease?.isLost === true) await this.resign();
      const resource = this.#resource ?? (await this.#lead());
      return resource === undefined ? 'waiting' : await this.#work(resource);
    } catch (error) {
      await this.resign();
      if (error instanceof DeposedError) return 'waiting';
      throw error;
    }
  }

  /** Becomes the leader, when the table is attached as this process was told and nobody else leads. */
  async #lead(): Promise<AttachedResource | undefined> {
    const { database } = this.#parts;
    const { dialect } = database;
    const present = await database.read(() => readAttachment(dialect, this.name, false));
    const obstacle = this.#obstacle(present);
    if (present === undefined || obstacle !== undefined) {
      this.#stop(obstacle ?? 'not attached');
      return undefined;
    }
    if (!present.isLed) this.#resource = await this.#takeOver(present);
    if (this.#resource === undefined) this.#resume('standby');
    return this.#resource;
  }

  async #takeOver(present: Attachment): Promise<AttachedResource | undefined> {
    const { database, schema, options } = this.#parts;
    const { dialect } = database;
    const mapping = columnMappings(present, this.#target.resource.schema);
    const digest = mappingDigest(mapping, this.#target.resource.schema);
    const attachment = await database.write(() => takeOver(dialect, this.name, digest, this.#leaseMs));
    if (attachment === undefined) return undefined;
    this.#lease = new LeaderLease(database, this.name, attachment.term, this.#leaseMs);
    // Attached again since it was read, perhaps with other columns.
    if (attachment.term !== present.term + 1) throw new DeposedError('the table was attached again');
    return {
      dialect,
      schema,
      names: installedNames(schema, attachment.number),
      target: this.#target,
      attachment,
      mapping,
      maxRecordBytes: options.maxRecordBytes,
      nowMs: options.nowMs,
      newTag: options.newTag,
    };
  }

  #obstacle(attachment: Attachment | undefined): string | undefined {
    const table = tableNameOf(this.#source);
    if (attachment === undefined) return `${table} is not attached: run attach`;
    if (isOfOtherRelease(attachment.layout, installedNames(this.#parts.schema, attachment.number))) {
      return `${table} was attached by another release: run attach`;
    }
    if (JSON.stringify(attachment.source) === JSON.stringify(this.#source)) return undefined;
    return `${tableNameOf(attachment.source)} is attached in another way than it is configured: run attach`;
  }

  async #work(resource: AttachedResource): Promise<StepResult> {
    let { attachment } = resource;
    let result: StepResult = 'idle';
    if (await this.#hasWork(resource)) {
      const outcome = await this.#parts.database.write(() => moveBatch(resource, MOVE_LIMITS));
      if (outcome.kind === 'stopped') {
        this.#stop(`${outcome.reason}; take the change back, or run attach`);
        return 'waiting';
      }
      this.#movedRows += outcome.rows;
      this.#tell(outcome.moved, outcome.refused);
      ({ attachment } = outcome);
      result = 'more';
    }
    if (attachment.phase !== 'live') {
      attachment = await this.#readTable({ ...resource, attachment });
      result = 'more';
    }
    this.#resource = { ...resource, attachment };
    this.#resume(attachment.phase === 'live' ? 'following' : 'loading');
    return result;
  }

  /** Whether the inbox holds rows, or something was done to the table. */
  async #hasWork(resource: AttachedResource): Promise<boolean> {
    const { names, attachment } = resource;
    const waiting = `select true from ${inboxOf(resource)} order by number limit 1`;
    const [look] = await this.#reader.query<LayoutLook & { readonly isWaiting: boolean | null }>(
      `select look.*, (${waiting}) as "isWaiting" from (${layoutQuery({ names, ...attachment })}) as look`,
    );
    return look === undefined || look.isWaiting === true || !isUntouched(look, attachment);
  }

  async #readTable(resource: AttachedResource): Promise<Attachment> {
    const { attachment } = resource;
    const chunk = await readChunk(this.#reader, resource, this.#chunkRows);
    if (chunk === undefined) return attachment;
    const written = await this.#parts.database.write(() => writeChunk(resource, chunk));
    this.#tell(written.moved, written.refused);
    const factor =
      chunk.characters > MAX_CHUNK_CHARACTERS ? 0.5 : chunk.characters > MAX_CHUNK_CHARACTERS / 4 ? 1 : 2;
    this.#chunkRows = Math.max(1, Math.min(MAX_CHUNK_ROWS, Math.floor(this.#chunkRows * factor)));
    return { ...attachment, phase: written.phase, place: written.place };
  }

  #tell(moved: readonly string[], refused: readonly Refusal[]): void {
    if (moved.length > 0) this.#parts.onMoved(moved);
    const [first] = refused;
    if (first === undefined) return;
    this.#refusedRows += refused.length;
    const others = refused.length === 1 ? '' : ` and ${refused.length - 1} more`;
    this.#parts.options.onAlarm({
      code: 'rows_quarantined',
      resource: this.name,
      message: `${this.name}: the row ${JSON.stringify(first.id.slice(0, 100))}${others} of ${tableNameOf(this.#source)} cannot be a record, so what was served before stays: ${first.reason}`,
      cause: undefined,
    });
  }

  /** The alarm is raised once, until it goes on. */
  #stop(reason: string): void {
    const isNews = this.#state !== 'stopped' || this.#reason !== reason;
    this.#state = 'stopped';
    this.#reason = reason;
    if (!isNews) return;
    this.#parts.options.onAlarm({
      code: 'attachment_stopped',
      resource: this.name,
      message: `${this.name} is stopped, other resources go on: ${reason}`,
      cause: undefined,
    });
  }

  #resume(state: MoverState): void {
    this.#state = state;
    this.#reason = undefined;
  }
}
