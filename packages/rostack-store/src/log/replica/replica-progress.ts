import { setTimeout as delay } from 'node:timers/promises';
import { type EventPosition, type Position, SourceUnavailableError } from 'rostack-core';
import type { Database } from '../../drivers/database.ts';
import { type Once, once, sql } from '../../drivers/dialect/sql.ts';
import { EARLIER_EPOCHS_NOTE, parseEarlierEpochs } from '../../schema/epoch.ts';
import type { StoredResource } from '../../schema/stored-resource.ts';
import { headTable } from '../read-head.ts';

/** How often the standby is checked while somebody waits for it. */
const LOOK_PAUSE_MS = 50;

/** How far a standby has come with one resource. */
interface Progress {
  /** False once it was promoted: positions that it does not have then will never come. */
  readonly is_standby: boolean;
  /** Whether it was connected to another server but no longer is; never true for one that is fed only from an archive. */
  readonly is_cut_off: boolean;
  readonly position: Position;
  readonly epoch: string;
  readonly earlier: string | null;
}

/** Distinguishes places that a standby has not replayed yet from those that it never will. Waiting callers share their queries. */
export class ReplicaProgress {
  readonly #database: Database;
  readonly #name: string;
  readonly #query: Once;
  readonly #timeoutMs: number;
  #look: Promise<Progress> | undefined;
  #nextLook: Promise<Progress> | undefined;

  constructor(database: Database, { tables, resource }: StoredResource, timeoutMs: number) {
    const { dialect } = database;
    const { from, where } = headTable(dialect, tables);
    this.#database = database;
    this.#name = resource.name;
    this.#timeoutMs = timeoutMs;
    this.#query = once(
      dialect,
      sql`select pg_is_in_recovery() as is_standby, h.position,
        pg_last_wal_receive_lsn() is not null and not exists (select from pg_stat_wal_receiver) as is_cut_off, (select epoch from ${dialect.table('state')}) as epoch,
        (select body from ${dialect.table('note')} where name = ${sql.lit(EARLIER_EPOCHS_NOTE)}) as earlier
        from ${from} where ${where}`,
    );
  }

  /**
   * @param tagAt the tag of a position as the standby has it
   * @see RecordSource.waitForPosition
   */
  async reach(
    place: EventPosition,
    tagAt: (position: Position) => Promise<string | undefined>,
  ): Promise<void> {
    const deadlineMs = performance.now() + this.#timeoutMs;
    let progress = await this.#lookNow();
    while (isYetToCome(place, progress) || (await isInDoubt(place, progress, tagAt))) {
      if (performance.now() + LOOK_PAUSE_MS > deadlineMs) throw this.#late(place.position, progress);
      progress = await this.#lookLater();
    }
  }

  /** @throws SourceUnavailableError if the standby has not reached a position yet */
  async check(position: Position): Promise<void> {
    const progress = await this.#lookNow();
    if (progress.is_standby && position > progress.position) throw this.#late(position, progress);
  }

  #late(position: Position, progress: Progress): SourceUnavailableError {
    return new SourceUnavailableError(
      `the standby has replayed ${this.#name} up to ${progress.position}, but ${position} was requested`,
    );
  }

  #lookNow(): Promise<Progress> {
    this.#look ??= this.#ask().finally(() => {
      this.#look = undefined;
    });
    return this.#look;
  }

  #lookLater(): Promise<Progress> {
    this.#nextLook ??= delay(LOOK_PAUSE_MS, undefined, { ref: false })
      .then(() => this.#ask())
      .finally(() => {
        this.#nextLook = undefined;
      });
    return this.#nextLook;
  }

  async #ask(): Promise<Progress> {
    const [progress] = await this.#database.query<Progress>(this.#query);
    if (progress === undefined) throw new SourceUnavailableError(`the standby does not have ${this.#name}`);
    return progress;
  }
}

/** Whether the standby may still reach a place. A later epoch begins at the end of the previous one. */
function isYetToCome(place: EventPosition, { is_standby, position, epoch, earlier }: Progress): boolean {
  if (!is_standby) return false;
  if (place.epoch === epoch) return place.position > position;
  return place.position >= position && !parseEarlierEpochs(earlier).includes(place.epoch);
}

/** A standby that is cut off may have the history that a promotion elsewhere has lost, so a place unknown to it may be newer. */
async function isInDoubt(
  place: EventPosition,
  { is_standby, is_cut_off, epoch }: Progress,
  tagAt: (position: Position) => Promise<string | undefined>,
): Promise<boolean> {
  if (!is_standby || !is_cut_off) return false;
  if (place.epoch !== epoch) return true;
  const tag = await tagAt(place.position);
  return tag !== undefined && tag !== place.tag;
}
