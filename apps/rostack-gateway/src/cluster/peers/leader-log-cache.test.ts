import type { RecordSource } from 'rostack-core';
import { describe, expect, test, vi } from 'vitest';
import { openStations } from '../../../test/support/importing.ts';
import { LeaderLogCache } from './leader-log-cache.ts';
import type { LogUpdate } from './messages.ts';

const put = (id: string) => ({ resource: 'stations', op: 'put', record: { id, height: 1 } }) as const;

/** A log of which the lead reports a part; calls to the store are counted. */
async function start() {
  const store = await openStations();
  const source = store.source('stations');
  const asked = { head: 0, read: 0, watch: 0 };
  const counting: RecordSource = {
    page: (query) => source.page(query),
    get: (id) => source.get(id),
    tagAt: (position) => source.tagAt(position),
    head: () => {
      asked.head += 1;
      return source.head();
    },
    read: (...place) => {
      asked.read += 1;
      return source.read(...place);
    },
    watch: (onMoved) => {
      asked.watch += 1;
      const stop = source.watch(onMoved);
      return () => {
        asked.watch -= 1;
        stop();
      };
    },
  };
  const log = new LeaderLogCache(counting);
  /** What the lead reports after seeing the log up to a position. */
  const newsAfter = async (position: number): Promise<LogUpdate> => ({
    resource: 'stations',
    head: await source.head(),
    changes: await source.read(position, 100),
    tagBefore: (await source.tagAt(position)) ?? '',
  });
  return { store, source, log, asked, newsAfter, [Symbol.asyncDispose]: () => store.close() };
}

describe('a log that is told', () => {
  test('is read from memory, as it is in the store', async () => {
    await using told = await start();
    const { store, source, log, asked, newsAfter } = told;
    log.take(await newsAfter(0));
    await store.apply([put('a'), put('b')]);
    log.take(await newsAfter(0));
    await store.apply([put('c')]);
    log.take(await newsAfter(2));
    const { tag } = (await source.read(0, 1))[0] ?? { tag: '' };
    const answers = [
      await log.source.read(1, 10, tag),
      await log.source.read(3, 10),
      await log.source.head(),
    ];
    expect(answers).toEqual([await source.read(1, 10, tag), [], await source.head()]);
    expect((await log.source.read(0, 2)).map(({ id }) => id)).toEqual(['a', 'b']);
    expect(asked).toEqual({ head: 0, read: 0, watch: 0 });
  });

  test('is read from the store where something was not told, or is of another history', async () => {
    await using told = await start();
    const { store, source, log, asked, newsAfter } = told;
    await store.apply([put('a')]);
    log.take(await newsAfter(0));
    await store.apply([put('b')]);
    await store.apply([put('c')]);
    log.take(await newsAfter(2));
    expect(await log.source.read(0, 10)).toEqual(await source.read(0, 10));
    expect(asked.read).toBe(1);
    await expect(log.source.read(2, 10, 'another')).rejects.toMatchObject({ code: 'position_expired' });
    expect((await log.source.read(2, 10)).map(({ id }) => id)).toEqual(['c']);
    expect(asked.read).toBe(2);
  });

  test('does not join news of another history to what it knows', async () => {
    await using told = await start();
    const { store, log, asked, newsAfter } = told;
    await store.apply([put('a')]);
    log.take(await newsAfter(0));
    await store.apply([put('b')]);
    log.take({ ...(await newsAfter(1)), tagBefore: 'another' });
    expect((await log.source.read(1, 10)).map(({ id }) => id)).toEqual(['b']);
    expect(asked.read).toBe(0);
    // The earlier news came from the first history: the store knows which history is current.
    expect((await log.source.read(0, 10)).map(({ id }) => id)).toEqual(['a', 'b']);
    expect(asked.read).toBe(1);
  });

  test('believes news for two seconds, and then asks the store', async () => {
    await using told = await start();
    const { store, log, asked, newsAfter } = told;
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      await store.apply([put('a')]);
      log.take(await newsAfter(0));
      vi.advanceTimersByTime(1_999);
      await log.source.head();
      await log.source.read(0, 10);
      expect(asked).toMatchObject({ head: 0, read: 0 });
      vi.advanceTimersByTime(1);
      await log.source.head();
      await log.source.read(0, 10);
      expect(asked).toMatchObject({ head: 1, read: 1 });
    } finally {
      vi.useRealTimers();
    }
  });

  test('never ends before what was read of the store, when news come late', async () => {
    await using told = await start();
    const { store, source, log, newsAfter } = told;
    await store.apply([put('a')]);
    const late = await newsAfter(0);
    await store.apply([put('b')]);
    expect((await log.source.read(0, 10)).map(({ id }) => id)).toEqual(['a', 'b']);
    log.take(late);
    expect(await log.source.head()).toEqual(await source.head());
    await store.apply([put('c')]);
    log.take(await newsAfter(1));
    expect((await log.source.head()).position).toBe(3);
  });

  test('wakes those who follow, and watches the store itself once nobody tells', async () => {
    await using told = await start();
    const { store, log, asked, newsAfter } = told;
    log.take(await newsAfter(0));
    let woken = 0;
    const stop = log.source.watch(() => {
      woken += 1;
    });
    await store.apply([put('a')]);
    expect([woken, asked.watch]).toEqual([0, 0]);
    log.take(await newsAfter(0));
    expect([woken, asked.watch]).toEqual([1, 0]);
    log.lose();
    expect([woken, asked.watch]).toEqual([2, 1]);
    await store.apply([put('b')]);
    expect(woken).toBe(3);
    expect((await log.source.head()).position).toBe(2);
    log.take(await newsAfter(1));
    expect(asked.watch).toBe(0);
    stop();
  });
});
