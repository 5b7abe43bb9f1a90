import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { follow, NO_POLL_MS, passes, ScriptedLog, STEP_MS } from '../../../../test/support/scripted-log.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('changes that are handed to the tail of a log', () => {
  test('takes changes that are handed over without reading the log', async () => {
    const log = new ScriptedLog();
    log.append(1);
    const { tail, seen } = follow(log, NO_POLL_MS);
    await using _tail = tail;
    await tail.start();
    // A tail begins with a read.
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
  ])('reads the log where the changes that are handed over %s', async (_name, tell) => {
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

  test('neither reads nor looks where it is handed what it has already', async () => {
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

  test('reads the log where it is handed more changes than it keeps', async () => {
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

  test('reads what another process wrote behind changes that are handed over', async () => {
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

  test('notices another history while changes are handed over', async () => {
    const log = new ScriptedLog();
    const { tail, resets } = follow(log);
    await using _tail = tail;
    await tail.start();
    log.append(1);
    log.tell(0);
    log.putBackTo(0);
    await passes(() => expect(resets.map(([reason]) => reason)).toEqual(['log_lost']));
  });

  test('takes each change once, in order, whatever is handed over, and late', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            appended: fc.integer({ min: 1, max: 3 }),
            handover: fc.constantFrom('all', 'late', 'hint', 'none'),
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
          for (const { appended, handover } of commits) {
            const after = log.changes.length;
            for (let more = 1; more <= appended; more += 1) log.append(after + more);
            if (handover === 'all') log.tell(after);
            if (handover === 'hint') log.hint();
            late();
            late = handover === 'late' ? () => log.tell(after) : () => {};
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
});
