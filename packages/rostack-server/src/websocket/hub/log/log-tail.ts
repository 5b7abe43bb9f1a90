import {
  type Change,
  type CommittedChanges,
  type Head,
  isLogHole,
  isPositionExpired,
  type Position,
  type RecordSource,
} from 'rostack-core';
import type { ResetReason } from '../../../options/gateway-hooks.ts';
import type { Clock } from '../../options/clock.ts';
import type { TailFault } from '../../options/gateway-options.ts';
import { CommitBuffer, lengthOf } from './commit-buffer.ts';
import type { LogPosition } from './log-position.ts';

const READ_CHANGES = 256;
/** If the states of changes have more characters than this together, a source may return fewer changes than there are. */
const LARGE_LENGTH = 1_048_576;
/** After this many bytes were passed on, sockets get a turn. */
const TURN_BYTES = 65_536;

export interface LogTailOptions {
  readonly source: RecordSource;
  readonly clock: Clock;
  /** Shortest and longest pause between two looks when no hint comes. */
  readonly minPollMs: number;
  readonly maxPollMs: number;
  /** Called with the head that the first changes follow. */
  readonly onStart: (head: Head) => void;
  /** A place beyond what was passed on that the log was seen to have. If the log has a different tag there, its history is another one. */
  readonly seenAhead: () => LogPosition | undefined;
  /**
   * Takes the next change, which is passed on only once: if this throws, the tail starts again at the head.
   * @throws OutOfOrderError if it is not the next one
   */
  readonly onChange: (change: Change) => void;
  readonly onReset: (reason: ResetReason, head: Head) => void;
  readonly onFault: (error: unknown) => void;
}

/**
 * Follows one log from its head on. Changes that the source hands over right after their commit are taken without reading, if they are the
 * next ones. It reads right after any other hint, and without hints every `minPollMs` to `maxPollMs`: sooner after a read that found
 * changes without a hint.
 */
export class LogTail implements AsyncDisposable {
  readonly #options: LogTailOptions;
  #starting: Promise<void> | undefined;
  #running: Promise<void> | undefined;
  #unwatch: (() => void) | undefined;
  #isClosed = false;
  #isHinted = false;
  /** Undefined until the source hands over the first changes. */
  #commits: CommitBuffer | undefined;
  /** The log as it was last seen; its position and tag are those of the last change that was passed on. */
  #seen: Head = { position: 0, floor: 0, epoch: '', tag: '' };
  /** Set while a new start is needed, to its reason. */
  #resetFor: ResetReason | undefined;
  #headSeenAtMs = 0;
  /** The newest position when the head was last seen. */
  #headPosition = 0;
  #endPause: (() => void) | undefined;
  #atHeadAtMs: number | undefined;
  #fault: { readonly sinceMs: number; readonly error: unknown } | undefined;

  constructor(options: LogTailOptions) {
    this.#options = options;
  }

  /**
   * Starts at the head if it has not started.
   * @throws SourceUnavailableError if the source cannot be reached; call again later
   */
  async start(): Promise<void> {
    if (this.#running !== undefined) return;
    this.#starting ??= this.#begin().finally(() => {
      this.#starting = undefined;
    });
    await this.#starting;
  }

  /** Time since the tail was last at the head, in ms; undefined before it starts. */
  get behindMs(): number | undefined {
    return this.#atHeadAtMs === undefined ? undefined : this.#nowMs() - this.#atHeadAtMs;
  }

  /** Undefined while reading works. */
  get fault(): TailFault | undefined {
    return this.#fault && { forMs: this.#nowMs() - this.#fault.sinceMs, error: this.#fault.error };
  }

  /** Makes the tail soon compare the log's history with the one that it has followed. */
  doubt(): void {
    this.#headSeenAtMs = Number.NEGATIVE_INFINITY;
    this.wake();
  }

  /** Makes the tail check for changes soon. */
  wake(): void {
    this.#isHinted = true;
    this.#endPause?.();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    this.#unwatch?.();
    this.#endPause?.();
    await this.#running;
  }

  #nowMs(): number {
    return this.#options.clock.monotonicMs();
  }

  async #begin(): Promise<void> {
    const { source, onStart } = this.#options;
    const head = await source.head();
    if (this.#isClosed) return;
    this.#seen = head;
    this.#headSeenAtMs = this.#nowMs();
    this.#atHeadAtMs = this.#headSeenAtMs;
    onStart(head);
    this.#running = this.#run();
  }

  async #run(): Promise<void> {
    const { minPollMs, maxPollMs } = this.#options;
    let pollMs = minPollMs;
    while (!this.#isClosed) {
      const wasHinted = this.#isHinted;
      const hadCommits = this.#hasCommits;
      this.#isHinted = false;
      const before = this.#seen.position;
      const isRead = await this.#attempt(() => this.#follow(wasHinted));
      if (this.#resetFor !== undefined) await this.#attempt(() => this.#look());
      const isAhead = this.#seen.position > before && !wasHinted && !hadCommits;
      pollMs = !isRead ? maxPollMs : isAhead ? minPollMs : Math.min(maxPollMs, pollMs * 2);
      if (!this.#isHinted && !this.#hasCommits && !this.#isClosed) await this.#pause(pollMs);
    }
  }

  async #attempt(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      this.#fault = { sinceMs: this.#fault?.sinceMs ?? this.#nowMs(), error };
      this.#options.onFault(error);
      if (isLogHole(error)) this.#resetFor = 'hole';
      else if (isPositionExpired(error)) this.#resetFor = 'behind_floor';
      return false;
    }
  }

  async #follow(wasHinted: boolean): Promise<void> {
    const { source, minPollMs } = this.#options;
    this.#unwatch ??= source.watch((committed) => this.#wakeFor(committed));
    const taken = await this.#takeCommits();
    const isHinted = wasHinted || taken === 'missing';
    const isPoll = !isHinted && taken === 'nothing';
    if (isPoll || this.#nowMs() - this.#headSeenAtMs >= minPollMs) await this.#look();
    if (isHinted || isPoll || this.#headPosition > this.#seen.position) await this.#drain();
    if (this.#resetFor !== undefined) return;
    this.#fault = undefined;
    this.#atHeadAtMs = this.#nowMs();
  }

  #wakeFor(committed: CommittedChanges | undefined): void {
    if (committed === undefined) {
      this.wake();
      return;
    }
    this.#commits ??= new CommitBuffer();
    if (this.#commits.add(committed)) this.#endPause?.();
    else this.wake();
  }

  get #hasCommits(): boolean {
    return this.#commits?.isEmpty === false;
  }

  /** Passes on the changes that the source handed over. Returns whether these were all, or some are missing and have to be read. */
  async #takeCommits(): Promise<'nothing' | 'all' | 'missing'> {
    let taken: 'nothing' | 'all' = 'nothing';
    while (!this.#isClosed && this.#resetFor === undefined && this.#commits?.isEmpty === false) {
      const changes = this.#commits.takeAfter(this.#seen);
      if (changes === undefined || !isDense(changes, this.#seen.position)) return 'missing';
      await this.#check(changes);
      taken = 'all';
    }
    return taken;
  }

  /** Compares the log with what was seen of it; starts again if the history is another one or shorter. */
  async #look(): Promise<void> {
    this.#headSeenAtMs = this.#nowMs();
    const fresh = await this.#options.source.head();
    this.#headPosition = fresh.position;
    const reason = await this.#reasonToReset(fresh);
    const { position, tag } = this.#seen;
    this.#resetFor = undefined;
    this.#seen = reason === undefined ? { ...fresh, position, tag } : fresh;
    if (reason !== undefined) this.#options.onReset(reason, fresh);
  }

  async #reasonToReset(fresh: Head): Promise<ResetReason | undefined> {
    const { position, epoch, tag } = this.#seen;
    const known = this.#resetFor;
    if (known !== undefined && known !== 'behind_floor') return known;
    if (fresh.epoch !== epoch) return 'epoch';
    if (fresh.position < position) return 'log_lost';
    if (known === undefined) return fresh.position === position && fresh.tag !== tag ? 'history' : undefined;
    if (fresh.floor > position) return known;
    // If the log still has the place, a replica was only lagging.
    return (await this.#options.source.tagAt(position)) === tag ? undefined : 'history';
  }

  async #drain(): Promise<void> {
    while (!this.#isClosed && this.#resetFor === undefined) {
      const { position, tag } = this.#seen;
      const changes = await this.#options.source.read(position, READ_CHANGES, tag);
      if (isDense(changes, position)) await this.#check(changes);
      else this.#resetFor = 'hole';
      if (changes.length === 0) return;
      const isShort = changes.length < READ_CHANGES && lengthOf(changes) < LARGE_LENGTH;
      if (isShort && this.#seen.position >= this.#headPosition) return;
    }
  }

  async #check(changes: readonly Change[]): Promise<void> {
    if (await this.#isAsSeen(changes)) await this.#handOn(changes);
    else this.#resetFor = 'history';
  }

  /** Whether the log still has the place that was seen ahead; checked after the changes were read. */
  async #isAsSeen(changes: readonly Change[]): Promise<boolean> {
    const seen = this.#options.seenAhead();
    if (seen === undefined || changes.length === 0) return true;
    const { position, tag } = seen;
    const change = changes.find((each) => each.position === position);
    return (change === undefined ? await this.#options.source.tagAt(position) : change.tag) === tag;
  }

  /** Passes changes on one by one; the position moves with each, so that none is passed on twice. */
  async #handOn(changes: readonly Change[]): Promise<void> {
    const { clock, onChange } = this.#options;
    let bytes = 0;
    for (const change of changes) {
      this.#seen = { ...this.#seen, position: change.position, tag: change.tag };
      try {
        onChange(change);
      } catch (error) {
        this.#resetFor = 'out_of_order';
        throw error;
      }
      bytes += (change.after ?? change.before ?? '').length;
      if (bytes < TURN_BYTES) continue;
      bytes = 0;
      await clock.nextTurn();
    }
    if (changes.length > 0) await clock.nextTurn();
  }

  async #pause(pauseMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const callOff = this.#options.clock.after(pauseMs, resolve);
      this.#endPause = () => {
        callOff();
        resolve();
      };
    });
    this.#endPause = undefined;
  }
}

function isDense(changes: readonly Change[], after: Position): boolean {
  return changes.every((change, index) => change.position === after + 1 + index);
}
