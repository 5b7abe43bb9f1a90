import type { FollowChange, RostackClient } from 'rostack-client';
import type { JsonObject } from 'rostack-core';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RecordWatch } from './record-watch.ts';

type Tell = (change: FollowChange<JsonObject>) => void;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** What a watch needs of a client: it counts the follows, and tells them what a test says. */
function watched() {
  const open = new Set<Tell>();
  let begun = 0;
  const client = {
    discovery: { implementation: { id: 'observatory' } },
    follow: () => {
      begun += 1;
      let own: Tell | undefined;
      return {
        run: (tell: Tell) => {
          own = tell;
          open.add(tell);
          return new Promise<void>(() => {});
        },
        close: async () => void (own && open.delete(own)),
      };
    },
  };
  const watch = new RecordWatch(client as unknown as RostackClient, () => {});
  const heard: string[] = [];
  return {
    watch,
    heard,
    counts: () => ({ begun, open: open.size }),
    listen: () => watch.listen((uri) => heard.push(uri)),
    tell: (id: string) => {
      for (const each of open) each({ kind: 'deleted', id } as unknown as FollowChange<JsonObject>);
    },
  };
}

const STATIONS = 'rostack://observatory/stations';

test('those who need a resource share a follow, which ends when the last of them leaves', () => {
  const { watch, counts } = watched();
  const first = watch.follow('stations');
  const second = watch.follow('stations');
  expect(counts()).toEqual({ begun: 1, open: 1 });
  first();
  first();
  expect(counts().open).toBe(1);
  second();
  expect(counts().open).toBe(0);
  watch.follow('stations')();
  expect(counts()).toEqual({ begun: 2, open: 0 });
});

test('changes of a moment are told together, each URI once', () => {
  const { watch, heard, listen, tell } = watched();
  listen();
  watch.follow('stations');
  for (const id of ['s1', 's1', 's 2']) tell(id);
  expect(heard).toEqual([]);
  vi.runAllTimers();
  expect(heard).toEqual([STATIONS, `${STATIONS}/s1`, `${STATIONS}/s%202`]);
});

test('who has left hears nothing more', () => {
  const { watch, heard, listen, tell } = watched();
  const leave = listen();
  watch.follow('stations');
  tell('s1');
  leave();
  vi.runAllTimers();
  expect(heard).toEqual([]);
});

test('closing leaves no follow, no timer and nobody who is told', () => {
  const { watch, heard, counts, listen, tell } = watched();
  listen();
  watch.follow('stations');
  watch.follow('boats');
  tell('s1');
  watch.close();
  expect([counts().open, vi.getTimerCount()]).toEqual([0, 0]);
  vi.runAllTimers();
  expect(heard).toEqual([]);
});
