import { expect, test, vi } from 'vitest';
import type { Database } from '../../drivers/database.ts';
import { Watchers } from './watchers.ts';

/** Watchers of a database that records who listens to it. */
function start() {
  const stop = vi.fn<() => void>();
  const watch = vi.fn<Database['watch']>(() => stop);
  const onFailure = vi.fn<(error: unknown) => void>();
  const watchers = new Watchers({ watch } as unknown as Database, undefined, onFailure);
  return { watchers, watch, stop, onFailure };
}

test('the database is watched once while anybody listens, and not any more afterwards', () => {
  const { watchers, watch, stop } = start();
  const endings = ['a', 'a', 'b'].map((resource) => watchers.add(resource, () => {}));
  expect(watch).toHaveBeenCalledTimes(1);
  endings[0]?.();
  endings[2]?.();
  endings[0]?.();
  expect(stop).not.toHaveBeenCalled();
  endings[1]?.();
  expect(stop).toHaveBeenCalledTimes(1);
  watchers.add('a', () => {});
  expect(watch).toHaveBeenCalledTimes(2);
});

test('the same callback may watch twice, and each is stopped by itself', () => {
  const { watchers } = start();
  const moved = vi.fn<() => void>();
  const [stopOne] = [watchers.add('a', moved), watchers.add('a', moved)];
  watchers.notify(['a', 'b']);
  expect(moved).toHaveBeenCalledTimes(2);
  stopOne?.();
  watchers.notify(['a']);
  expect(moved).toHaveBeenCalledTimes(3);
});

test('stopping twice takes nothing from those who have come in between', () => {
  const { watchers, stop } = start();
  const [stopFirst, moved] = [watchers.add('a', () => {}), vi.fn<() => void>()];
  stopFirst();
  watchers.add('a', moved);
  stopFirst();
  watchers.notify(['a']);
  expect(moved).toHaveBeenCalledTimes(1);
  expect(stop).toHaveBeenCalledTimes(1);
});

test('a callback that throws is reported, and the others are still called', () => {
  const { watchers, onFailure } = start();
  const [fault, moved] = [new Error('not now'), vi.fn<() => void>()];
  watchers.add('a', () => {
    throw fault;
  });
  watchers.add('a', moved);
  watchers.notify(['a']);
  expect(onFailure).toHaveBeenCalledExactlyOnceWith(fault);
  expect(moved).toHaveBeenCalledTimes(1);
});

test('a hint that names no resources is for all that are watched', () => {
  const { watchers, watch } = start();
  const [one, other] = [vi.fn<() => void>(), vi.fn<() => void>()];
  watchers.add('a', one);
  watchers.add('b', other);
  const [onHint] = watch.mock.calls[0] ?? [];
  onHint?.(['a']);
  onHint?.(undefined);
  expect([one, other].map(({ mock }) => mock.calls.length)).toEqual([2, 1]);
});
