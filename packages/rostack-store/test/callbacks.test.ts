import { watchProcess } from 'test-support/watch-process';
import { describe, expect, test } from 'vitest';
import type { HintBus, StoreAlarm } from '../src/index.ts';
import { describeBoth, type TestDatabase } from './support/databases.ts';
import { put, stations } from './support/stations.ts';

const resources = [stations];
const boom = new Error('boom');

/** The two ways in which a callback fails. */
const FAILURES: readonly [string, () => never][] = [
  [
    'throws',
    () => {
      throw boom;
    },
  ],
  ['rejects', () => Promise.reject(boom) as never],
];

const warnings = watchProcess();

const working: HintBus = { publish: () => {}, subscribe: () => () => {} };

/** How many changes the log holds, seen by a store of its own. */
async function logged(database: TestDatabase): Promise<number> {
  await using store = await database.open({ resources });
  return (await store.source('stations').head()).position;
}

describeBoth('a callback of the application', (create) => {
  describe.for(FAILURES)('that %s', ([, fail]) => {
    test.for<[string, HintBus]>([
      ['publish', { ...working, publish: fail }],
      ['subscribe', { ...working, subscribe: fail }],
      ['the end of a subscription', { ...working, subscribe: () => fail }],
    ])('raises an alarm, and writes and watching go on: %s of a hint bus', async ([, hints]) => {
      await using database = create();
      const alarms: StoreAlarm[] = [];
      let moves = 0;
      {
        await using store = await database.open({
          resources,
          hints,
          pollIntervalMs: 20,
          onAlarm: (alarm) => alarms.push(alarm),
        });
        await using other = await database.open({ resources, hints: working });
        const stop = store.source('stations').watch(() => {
          moves += 1;
        });
        for (let height = 0; height < 3; height += 1) {
          await Promise.all([
            store.apply([put({ id: 'a', height })]),
            store.apply([put({ id: 'b', height })]),
          ]);
        }
        const before = moves;
        await other.apply([put({ id: 'c', height: 1 })]);
        await expect.poll(() => moves).toBeGreaterThan(before);
        stop();
      }
      await expect.poll(() => alarms.map(({ code }) => code)).toContain('watch_failed');
      expect(await logged(database)).toBe(7);
    });

    test('keeps no other watcher from hearing, and raises an alarm: watch', async () => {
      await using database = create();
      const alarms: StoreAlarm[] = [];
      let moves = 0;
      await using store = await database.open({ resources, onAlarm: (alarm) => alarms.push(alarm) });
      const source = store.source('stations');
      const stops = [source.watch(fail), source.watch(() => (moves += 1)), source.watch(fail)];
      await store.apply([put({ id: 'a', height: 1 })]);
      await store.apply([put({ id: 'a', height: 2 })]);
      expect(moves).toBeGreaterThanOrEqual(2);
      for (const stop of stops) stop();
      await expect.poll(() => alarms).not.toEqual([]);
      expect(alarms[0]).toMatchObject({ code: 'watch_failed', cause: boom });
    });

    test('is shown as a warning, and harms nobody: onAlarm', async () => {
      await using database = create();
      await using store = await database.open({
        resources,
        hints: { ...working, publish: fail },
        onAlarm: fail,
      });
      await store.apply([put({ id: 'a', height: 1 })]);
      await expect.poll(() => warnings).toContain('Warning: onAlarm failed: boom');
    });

    test.for(['nowMs', 'randomId'] as const)(
      'fails the calls that need it, and writes nothing: %s',
      async (name) => {
        await using database = create();
        let isFailing = false;
        let count = 0;
        const sources = { nowMs: Date.now, randomId: () => `random-id-${(count += 1)}` };
        const source = sources[name];
        {
          await using store = await database.open({
            resources,
            [name]: () => (isFailing ? fail() : source()),
          });
          await store.apply([put({ id: 'a', height: 1 })]);
          isFailing = true;
          const refusal = {
            code: 'store_options_invalid',
            message: expect.stringContaining(`${name} `),
          };
          const batches = [
            store.apply([put({ id: 'a', height: 2 })]),
            store.apply([put({ id: 'b', height: 2 })]),
          ];
          for (const outcome of await Promise.allSettled(batches)) {
            expect(outcome).toMatchObject({ status: 'rejected', reason: refusal });
          }
          const alone = name === 'randomId' ? store.renewEpoch() : store.prune();
          await expect(alone).rejects.toMatchObject(refusal);
          isFailing = false;
          await store.apply([put({ id: 'c', height: 3 })]);
        }
        expect(await logged(database)).toBe(2);
      },
    );

    test('fails its call and changes nothing: the update of a note', async () => {
      await using database = create();
      await using store = await database.open({ resources });
      await store.updateNote('n', () => 'kept');
      await expect(store.updateNote('n', fail)).rejects.toThrow(/boom|returned no string/);
      await store.updateNote('n', (present) => `${present} on`);
      await store.updateNote('n', (present) => {
        expect(present).toBe('kept on');
        return 'end';
      });
    });
  });

  test.for<[string, number]>([
    ['NaN', Number.NaN],
    ['a time before 1970', -1],
    ['no number', '5' as unknown as number],
  ])('that gives %s for a time fails the call', async ([, time]) => {
    await using database = create();
    await using store = await database.open({ resources, nowMs: () => time });
    await expect(store.apply([put({ id: 'a', height: 1 })])).rejects.toMatchObject({
      code: 'store_options_invalid',
      message: expect.stringContaining('nowMs returned'),
    });
  });

  test('that gives no way to end a subscription raises an alarm', async () => {
    await using database = create();
    const alarms: StoreAlarm[] = [];
    const hints = { ...working, subscribe: () => undefined as unknown as () => void };
    await using store = await database.open({ resources, hints, onAlarm: (alarm) => alarms.push(alarm) });
    store.source('stations').watch(() => {})();
    expect(alarms).toMatchObject([{ code: 'watch_failed', message: expect.stringContaining('no function') }]);
  });

  test('that tells hints of no shape is taken to say that anything may have moved', async () => {
    await using database = create();
    let tell: Parameters<HintBus['subscribe']>[0] = () => {};
    const hints: HintBus = {
      ...working,
      subscribe: (onHint) => {
        tell = onHint;
        return () => {};
      },
    };
    await using store = await database.open({ resources, hints });
    let moves = 0;
    const stop = store.source('stations').watch(() => {
      moves += 1;
    });
    for (const hint of [5, null, 'stations', {}]) tell(hint as unknown as string[]);
    stop();
    expect(moves).toBe(4);
  });
});
