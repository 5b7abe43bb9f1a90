import {
  type Change,
  type CommittedChanges,
  type Head,
  LogHoleError,
  PositionExpiredError,
  type RecordSource,
  SourceUnavailableError,
} from 'rostack-core';
import { vi } from 'vitest';
import type { ResetReason } from '../../src/options/gateway-hooks.ts';
import { LogTail } from '../../src/websocket/hub/log/log-tail.ts';
import { SYSTEM_CLOCK } from '../../src/websocket/options/clock.ts';

/** A log whose faults the test decides. */
export class ScriptedLog {
  epoch = 'one';
  /** Begins the tags of changes to come. */
  history = 'a';
  floor = 0;
  changes: Change[] = [];
  isDown = false;
  /** A position that the source says it lacks. */
  hole: number | undefined;
  /** Numbers of the reads that fail, counted from 1. */
  failingReads: number[] = [];
  reads = 0;
  #onMoved: ((committed?: CommittedChanges) => void) | undefined;

  get isWatched(): boolean {
    return this.#onMoved !== undefined;
  }

  append(position: number): void {
    this.changes.push({
      position,
      tag: `${this.history}${position}`,
      eventId: `e${position}`,
      eventType: 'thing.created',
      transition: 'create',
      id: `r${position}`,
      version: '1',
      occurredAtMs: 0,
      before: undefined,
      after: '{}',
    });
  }

  hint(): void {
    this.#onMoved?.();
  }

  /** Tells of what was committed after a position. */
  tell(after: number, { epoch = this.epoch, tagBefore = this.#tagAt(after) ?? '' } = {}): void {
    const changes = this.changes.filter(({ position }) => position > after);
    this.#onMoved?.({ epoch, tagBefore, changes });
  }

  /** Puts the log back to a position, from which it goes on with other changes. */
  putBackTo(position: number): void {
    this.changes = this.changes.filter((change) => change.position <= position);
    this.history = `${this.history}'`;
  }

  #tagAt(position: number): string | undefined {
    if (position === 0) return '';
    return this.changes.find((change) => change.position === position)?.tag;
  }

  readonly source: Pick<RecordSource, 'head' | 'tagAt' | 'read' | 'watch'> = {
    head: async () => {
      if (this.isDown) throw new SourceUnavailableError('down');
      const position = this.changes.at(-1)?.position ?? 0;
      return { position, floor: this.floor, epoch: this.epoch, tag: this.#tagAt(position) ?? '' };
    },
    tagAt: async (position) => this.#tagAt(position),
    read: async (after, limit, tag) => {
      this.reads += 1;
      if (this.isDown || this.failingReads.includes(this.reads)) throw new SourceUnavailableError('down');
      if (after < this.floor) throw new PositionExpiredError('gone');
      if (tag !== this.#tagAt(after)) throw new PositionExpiredError('another history');
      if (this.hole !== undefined && after < this.hole) throw new LogHoleError('things', this.hole);
      return this.changes.filter(({ position }) => position > after).slice(0, limit);
    },
    watch: (onMoved) => {
      this.#onMoved = onMoved;
      return () => {
        this.#onMoved = undefined;
      };
    },
  };
}

export function follow(log: ScriptedLog, pollMs = 20, onChange: (position: number) => void = () => {}) {
  const seen: number[] = [];
  const resets: [ResetReason, Head][] = [];
  const faults: unknown[] = [];
  const starts: Head[] = [];
  const tail = new LogTail({
    source: log.source as RecordSource,
    clock: SYSTEM_CLOCK,
    minPollMs: pollMs,
    maxPollMs: pollMs,
    onStart: (head) => starts.push(head),
    seenAhead: () => undefined,
    onChange: ({ position }) => {
      seen.push(position);
      onChange(position);
    },
    onReset: (reason, head) => resets.push([reason, head]),
    onFault: (error) => faults.push(error),
  });
  return { tail, seen, resets, faults, starts };
}

export const NO_POLL_MS = 60_000;
export const STEP_MS = 5;
const MOST_STEPS = 1_000;

/** Lets time pass until it is so: less of it than `NO_POLL_MS`. */
export async function passes(check: () => void): Promise<void> {
  for (let steps = 0; ; steps += 1) {
    try {
      check();
      return;
    } catch (error) {
      if (steps === MOST_STEPS) throw error;
    }
    await vi.advanceTimersByTimeAsync(STEP_MS);
  }
}
