import {
  type EventPosition,
  type Head,
  NextReads,
  type Position,
  type RecordSource,
  SourceUnavailableError,
} from 'rostack-core';
import type { GatewayAlarm } from '../../../options/gateway-hooks.ts';
import type { Clock } from '../../options/clock.ts';
import { Throttle } from '../../options/throttle.ts';
import type { LogPosition } from '../log/log-position.ts';
import type { LogTail } from '../log/log-tail.ts';

const FOREIGN_CURSOR_PAUSE_MS = 60_000;

/** How far a hub has followed its log. */
export interface FollowedLog extends LogPosition {
  readonly epoch: string;
  /** Counts the hub's starts; positions of another start mean nothing. */
  readonly generation: number;
}

/** Where a subscription starts, and how far its events are replay. */
export interface StartingPoint extends LogPosition {
  readonly replayTo: Position;
  /** The start of the hub that the positions belong to. */
  readonly generation: number;
}

export interface StartLocatorOptions {
  readonly resource: string;
  readonly source: RecordSource;
  readonly clock: Clock;
  readonly tail: LogTail;
  readonly followed: () => FollowedLog;
  readonly onAlarm: (alarm: GatewayAlarm) => void;
  /** Called with each error of the source. */
  readonly onFault: (error: unknown) => void;
}

/** Finds where subscriptions start; those that start at the same time, or at the same place, share reads. */
export class StartLocator {
  readonly #options: StartLocatorOptions;
  readonly #foreignCursors = new Throttle(FOREIGN_CURSOR_PAUSE_MS);
  readonly #heads: NextReads<'head', Head>;
  readonly #tags: NextReads<Position, string | undefined>;

  constructor(options: StartLocatorOptions) {
    const { source } = options;
    this.#options = options;
    this.#heads = new NextReads(() => source.head());
    this.#tags = new NextReads((position) => source.tagAt(position));
  }

  /**
   * The present place, or that of a cursor if the log still reaches back to it.
   * @returns undefined if the cursor cannot be used
   * @throws SourceUnavailableError if the source cannot be reached
   */
  async locate(from: EventPosition | undefined): Promise<StartingPoint | undefined> {
    const { tail, source, followed } = this.#options;
    await this.#ask(tail.start());
    if (from !== undefined && source.waitForPosition !== undefined)
      await this.#ask(source.waitForPosition(from));
    const { position, tag, generation } = followed();
    if (from === undefined) return { position, tag, replayTo: position, generation };
    const head = await this.#ask(this.#heads.ask('head'));
    if (from.epoch !== head.epoch || from.position < head.floor) return undefined;
    const tagThere =
      from.position === head.position ? head.tag : await this.#ask(this.#tags.ask(from.position));
    if (tagThere !== from.tag) {
      this.#foreignCursor(from.position, head.position);
      return undefined;
    }
    if (head.epoch !== followed().epoch) {
      tail.doubt();
      throw new SourceUnavailableError('The log has a new history that is not followed yet.');
    }
    return { position: from.position, tag: from.tag, replayTo: head.position, generation };
  }

  /** Waits for the source's answer; a failure is reported, and the subscriber has to retry. */
  async #ask<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      this.#options.onFault(error);
      throw error;
    }
  }

  #foreignCursor(position: Position, headPosition: Position): void {
    const { clock, resource, onAlarm } = this.#options;
    if (!this.#foreignCursors.permits(clock.monotonicMs())) return;
    onAlarm({ kind: 'foreign_cursor', resource, position, headPosition });
  }
}
