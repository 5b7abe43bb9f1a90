import * as fc from 'fast-check';
import {
  type Change,
  type CommittedChanges,
  type Head,
  LogHoleError,
  PositionExpiredError,
  type RecordSource,
  SourceUnavailableError,
} from 'rostack-core';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ResetReason } from '../../../options/gateway-hooks.ts';
import { SYSTEM_CLOCK } from '../../options/clock.ts';
import { LogTail } from './log-tail.ts';

/** A log whose faults the test decides. */
class ScriptedLog {
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

function follow(log: ScriptedLog, pollMs = 20, onChange: (position: number) => void = () => {}) {
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

const NO_POLL_MS = 60_000;
const STEP_MS = 5;
const MOST_STEPS = 1_000;

/** Lets time pass until it is so: less of it than `NO_POLL_MS`. */
async function passes(check: () => void): Promise<void> {
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

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the tail of a log', () => {
  test('starts at the head and takes what comes after, by hint alone', async () => {
    const log = new ScriptedLog();
    log.append(1);
    const { tail, seen, starts } = follow(log, NO_POLL_MS);
    await using _tail = tail;
    await tail.start();
    expect(starts).toEqual([{ position: 1, floor: 0, epoch: 'one', tag: 'a1' }]);
    log.append(2);
    log.append(3);
    log.hint();
    await passes(() => expect(seen).toEqual([2, 3]));
    log.append(4);
    log.hint();
    log.hint();
    await passes(() => expect(seen).toEqual([2, 3, 4]));
  });

  test('takes changes that it is told of without reading the log', async () => {
    const log = new ScriptedLog();
    log.append(1);
    const { tail, seen } = follow(log, NO_POLL_MS);
    await using _tail = tail;
    await tail.start();
    // As the first thing it does.
    await passes(() => expect(log.reads).toBe(1));
    for (const position of [2, 3, 4]) {
      log.append(position);
      log.tell(position - 1);
    }
    await passes(() => expect(seen).toEqual([2, 3, 4]));
    log.append(5);
    log.append(6);
    log.tell(4);
    await passes(() => expect(seen).toEqual([2, 3, 4, 5, 6]));
    expect(log.reads).toBe(1);
  });

  test.each<readonly [string, (log: ScriptedLog) => void]>([
    ['begin beyond its place', (log) => log.tell(2)],
    ['begin before its place', (log) => log.tell(0)],
    ['are of another history', (log) => log.tell(1, { tagBefore: 'b1' })],
    ['are of another epoch', (log) => log.tell(1, { epoch: 'two' })],
    [
      'are not dense',
      (log) => {
        log.changes = log.changes.filter(({ position }) => position !== 2);
        log.tell(1);
        log.changes = [];
        for (const position of [1, 2, 3]) log.append(position);
      },
    ],
  ])('reads the log where the changes that it is told of %s', async (_name, tell) => {
    const log = new ScriptedLog();
    log.append(1);
    const { tail, seen, resets } = follow(log, NO_POLL_MS);
    await using _tail = tail;
    await tail.start();
    await passes(() => expect(log.reads).toBe(1));
    log.append(2);
    log.append(3);
    tell(log);
    await passes(() => expect(seen).toEqual([2, 3]));
    expect(log.reads).toBeGreaterThan(1);
    expect(resets).toEqual([]);
  });

  test('neither reads nor looks where it is told late of what it has', async () => {
    const log = new ScriptedLog();
    const { tail, seen } = follow(log, NO_POLL_MS);
    await using _tail = tail;
    const head = vi.spyOn(log.source, 'head');
    await tail.start();
    await passes(() => expect(log.reads).toBe(1));
    log.append(1);
    log.hint();
    await passes(() => expect(seen).toEqual([1]));
    const done = { reads: log.reads, looks: head.mock.calls.length };
    log.tell(0);
    await vi.advanceTimersByTimeAsync(STEP_MS);
    expect({ reads: log.reads, looks: head.mock.calls.length }).toEqual(done);
  });

  test('reads the log where it is told of more changes than it keeps', async () => {
    const log = new ScriptedLog();
    const { tail, seen } = follow(log, NO_POLL_MS);
    await using _tail = tail;
    await tail.start();
    await passes(() => expect(log.reads).toBe(1));
    for (let position = 1; position <= 300; position += 1) log.append(position);
    log.tell(0);
    await passes(() => expect(seen).toHaveLength(300));
    expect(log.reads).toBeGreaterThan(1);
    log.append(301);
    log.tell(300);
    await passes(() => expect(seen.at(-1)).toBe(301));
    expect(seen).toEqual(Array.from({ length: 301 }, (_, index) => index + 1));
  });

  test('reads what another process wrote behind changes that it is told of', async () => {
    const log = new ScriptedLog();
    const { tail, seen } = follow(log, NO_POLL_MS);
    await using _tail = tail;
    await tail.start();
    log.append(1);
    log.tell(0);
    log.append(2);
    log.hint();
    await passes(() => expect(seen).toEqual([1, 2]));
    log.append(3);
    log.hint();
    log.append(4);
    log.tell(3);
    await passes(() => expect(seen).toEqual([1, 2, 3, 4]));
  });

  test('notices another history while it is told of changes', async () => {
    const log = new ScriptedLog();
    const { tail, resets } = follow(log);
    await using _tail = tail;
    await tail.start();
    log.append(1);
    log.tell(0);
    log.putBackTo(0);
    await passes(() => expect(resets.map(([reason]) => reason)).toEqual(['log_lost']));
  });

  test('takes each change once, in order, whatever of it is told, and late', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            appended: fc.integer({ min: 1, max: 3 }),
            told: fc.constantFrom('all', 'late', 'hint', 'none'),
          }),
          {
            minLength: 1,
            maxLength: 12,
          },
        ),
        async (commits) => {
          const log = new ScriptedLog();
          const { tail, seen, resets } = follow(log);
          await using _tail = tail;
          await tail.start();
          let late = () => {};
          for (const { appended, told } of commits) {
            const after = log.changes.length;
            for (let more = 1; more <= appended; more += 1) log.append(after + more);
            if (told === 'all') log.tell(after);
            if (told === 'hint') log.hint();
            late();
            late = told === 'late' ? () => log.tell(after) : () => {};
            if (appended === 2) await vi.advanceTimersByTimeAsync(STEP_MS);
          }
          late();
          const all = log.changes.map(({ position }) => position);
          await passes(() => expect(seen).toEqual(all));
          expect(resets).toEqual([]);
        },
      ),
    );
  });

  test('finds changes that no hint told of', async () => {
    const log = new ScriptedLog();
    const { tail, seen } = follow(log);
    await using _tail = tail;
    await tail.start();
    log.append(1);
    await passes(() => expect(seen).toEqual([1]));
  });

  test('reads a long backlog in order and once', async () => {
    const log = new ScriptedLog();
    const { tail, seen } = follow(log);
    await using _tail = tail;
    await tail.start();
    for (let position = 1; position <= 1_000; position += 1) log.append(position);
    log.hint();
    await passes(() => expect(seen).toHaveLength(1_000));
    expect(seen).toEqual(Array.from({ length: 1_000 }, (_, index) => index + 1));
  });

  test('fails to start while the source is down, and starts later', async () => {
    const log = new ScriptedLog();
    log.isDown = true;
    const { tail, starts } = follow(log);
    await using _tail = tail;
    await expect(tail.start()).rejects.toThrow(SourceUnavailableError);
    log.isDown = false;
    await tail.start();
    await tail.start();
    expect(starts).toHaveLength(1);
  });

  test('goes on after the last change it delivered when a later read of a backlog fails', async () => {
    const log = new ScriptedLog();
    const { tail, seen, faults, resets } = follow(log);
    await using _tail = tail;
    await tail.start();
    log.failingReads = [3];
    for (let position = 1; position <= 600; position += 1) log.append(position);
    log.hint();
    await passes(() => expect(seen).toContain(600));
    expect(seen).toEqual(Array.from({ length: 600 }, (_, index) => index + 1));
    expect(faults).toHaveLength(1);
    expect(resets).toEqual([]);
  });

  test('outlives an outage of the source', async () => {
    const log = new ScriptedLog();
    const { tail, seen, faults, resets } = follow(log);
    await using _tail = tail;
    await tail.start();
    log.isDown = true;
    log.append(1);
    await passes(() => expect(faults.length).toBeGreaterThan(0));
    log.isDown = false;
    await passes(() => expect(seen).toEqual([1]));
    expect(resets).toEqual([]);
  });

  test.each<readonly [string, (log: ScriptedLog) => void, ResetReason]>([
    [
      'another epoch',
      (log) => {
        log.epoch = 'two';
      },
      'epoch',
    ],
    [
      'a log that became shorter',
      (log) => {
        log.changes = log.changes.slice(0, 1);
      },
      'log_lost',
    ],
    [
      'another history of the same length',
      (log) => {
        log.putBackTo(1);
        log.append(2);
      },
      'history',
    ],
    [
      'another history that is longer',
      (log) => {
        log.putBackTo(0);
        for (let position = 1; position <= 5; position += 1) log.append(position);
      },
      'history',
    ],
    [
      'a hole that the source finds',
      (log) => {
        log.hole = 3;
        log.append(3);
        log.append(4);
      },
      'hole',
    ],
    ['a hole', (log) => log.append(9), 'hole'],
    [
      'a floor above it',
      (log) => {
        log.floor = 5;
        log.append(9);
      },
      'behind_floor',
    ],
  ])('makes a new start at the head after %s', async (_name, break_, reason) => {
    const log = new ScriptedLog();
    log.append(1);
    log.append(2);
    const { tail, seen, resets } = follow(log);
    await using _tail = tail;
    await tail.start();
    break_(log);
    await passes(() => expect(resets.map(([each]) => each)).toEqual([reason]));
    const head = await log.source.head();
    expect(resets[0]?.[1]).toEqual(head);
    log.append(head.position + 1);
    await passes(() => expect(seen).toEqual([head.position + 1]));
  });

  test('makes a new start when a change is not taken, and gives none a second time', async () => {
    const log = new ScriptedLog();
    const { tail, seen, faults, resets } = follow(log, 20, (position) => {
      if (position === 300) throw new Error('not taken');
    });
    await using _tail = tail;
    await tail.start();
    for (let position = 1; position <= 600; position += 1) log.append(position);
    log.hint();
    await passes(() => expect(resets.map(([reason]) => reason)).toEqual(['out_of_order']));
    log.append(601);
    await passes(() => expect(seen).toContain(601));
    expect(seen).toEqual([...Array.from({ length: 300 }, (_, index) => index + 1), 601]);
    expect(faults).toHaveLength(1);
  });

  test('goes on where a replica that lagged refused its place, and has it again', async () => {
    const log = new ScriptedLog();
    log.append(1);
    const { tail, seen, faults, resets } = follow(log);
    await using _tail = tail;
    await tail.start();
    const { read } = log.source;
    log.source.read = async () => {
      log.source.read = read;
      throw new PositionExpiredError('not here yet');
    };
    log.append(2);
    log.hint();
    await passes(() => expect(seen).toEqual([2]));
    expect(faults).toHaveLength(1);
    expect(resets).toEqual([]);
  });

  test('says what keeps it from reading, and for how long, until it reads again', async () => {
    const log = new ScriptedLog();
    const { tail, faults } = follow(log);
    await using _tail = tail;
    await tail.start();
    expect(tail.fault).toBeUndefined();
    log.isDown = true;
    await passes(() => expect(faults.length).toBeGreaterThan(2));
    expect(tail.fault?.error).toBe(faults.at(-1));
    expect(tail.fault?.forMs).toBeGreaterThan(30);
    log.isDown = false;
    await passes(() => expect(tail.fault).toBeUndefined());
  });

  test('tries again to watch a source that refuses to be watched', async () => {
    const log = new ScriptedLog();
    const { watch } = log.source;
    let tries = 0;
    log.source.watch = (onMoved) => {
      tries += 1;
      if (tries < 3) throw new SourceUnavailableError('no watching');
      return watch(onMoved);
    };
    const { tail, seen, faults } = follow(log);
    await using _tail = tail;
    await tail.start();
    await passes(() => expect(log.isWatched).toBe(true));
    expect(faults).toHaveLength(2);
    log.append(1);
    log.hint();
    await passes(() => expect(seen).toEqual([1]));
  });

  test('stops watching when disposed', async () => {
    const log = new ScriptedLog();
    const { tail } = follow(log);
    await tail.start();
    expect(log.isWatched).toBe(true);
    await tail[Symbol.asyncDispose]();
    expect(log.isWatched).toBe(false);
  });
});
