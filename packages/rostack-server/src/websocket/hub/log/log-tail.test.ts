import { PositionExpiredError, SourceUnavailableError } from 'rostack-core';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { follow, NO_POLL_MS, passes, ScriptedLog } from '../../../../test/support/scripted-log.ts';
import type { ResetReason } from '../../../options/gateway-hooks.ts';

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
