import { expect, test } from 'vitest';
import {
  ChangeInvalidError,
  RecordInvalidError,
  StoreClosedError,
  VersionConflictError,
} from '../src/index.ts';
import { describeBoth } from './support/databases.ts';
import { notes, put, remove, stations } from './support/stations.ts';

const resources = [stations, notes];

describeBoth('apply', (create) => {
  test('gives dense positions and a version of its own to each change', async () => {
    await using database = create();
    await using store = await database.open({ resources });
    const results = await store.apply([
      put({ id: 'a', height: 1 }),
      { resource: 'notes', op: 'put', record: { id: 'n' } },
      put({ id: 'b', height: 2 }),
      put({ id: 'a', height: 3 }),
      remove('b'),
    ]);
    expect(results.map(({ resource, id, position, changed }) => [resource, id, position, changed])).toEqual([
      ['stations', 'a', 1, true],
      ['notes', 'n', 1, true],
      ['stations', 'b', 2, true],
      ['stations', 'a', 3, true],
      ['stations', 'b', 4, true],
    ]);
    expect(new Set(results.map(({ resource, version }) => `${resource} ${version}`)).size).toBe(5);
    expect(await store.source('stations').get('a')).toEqual({
      id: 'a',
      version: results[3]?.version,
      position: 3,
      body: '{"id":"a","height":3}',
    });
    expect((await store.source('stations').head()).position).toBe(4);
    expect((await store.source('notes').head()).position).toBe(1);
  });

  test('a put equal to the current record changes nothing, whatever its member order', async () => {
    await using database = create();
    await using store = await database.open({ resources });
    const [first] = await store.apply([put({ id: 'a', height: 1, status: 'on' })]);
    const [second, third] = await store.apply([
      put({ status: 'on', height: 1, id: 'a' }),
      put({ id: 'a', height: 1, status: 'off' }),
    ]);
    expect(first?.transition).toBe('create');
    expect(second).toEqual({ ...first, changed: false, transition: undefined });
    expect(third).toMatchObject({ changed: true, transition: 'update', position: 2 });
    expect(await store.source('stations').read(0, 10)).toHaveLength(2);
  });

  test('a put of the same characters in another order changes the record', async () => {
    await using database = create();
    await using store = await database.open({ resources });
    await store.apply([put({ id: 'a', height: 12 })]);
    const results = await store.apply([put({ id: 'a', height: 21 }), put({ height: 12, id: 'a' })]);
    expect(results).toMatchObject([
      { changed: true, position: 2 },
      { changed: true, position: 3 },
    ]);
    expect(await store.source('stations').get('a')).toMatchObject({ body: '{"height":12,"id":"a"}' });
  });

  test('a delete of nothing changes nothing', async () => {
    await using database = create();
    await using store = await database.open({ resources });
    expect(await store.apply([remove('a')])).toEqual([
      { resource: 'stations', id: 'a', changed: false, position: undefined, version: undefined },
    ]);
    expect((await store.source('stations').head()).position).toBe(0);
  });

  test('refuses the whole batch for one record that fails its schema, and points at each fault', async () => {
    await using database = create();
    await using store = await database.open({ resources });
    const failure = await store
      .apply([
        put({ id: 'a', height: 1 }),
        put({ id: 'b', height: -501, status: 'broken' }),
        put({ id: 'c', height: 1, colour: 'red' }),
        put({ height: 1 }),
      ])
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(RecordInvalidError);
    expect(failure).toMatchObject({
      code: 'record_invalid',
      retryable: false,
      faults: [
        { changeIndex: 1, resource: 'stations', pointer: '/height', message: 'must be >= -500' },
        { changeIndex: 1, resource: 'stations', pointer: '/status' },
        { changeIndex: 2, resource: 'stations', pointer: '', message: expect.stringContaining('"colour"') },
        { changeIndex: 3, resource: 'stations', pointer: '', message: expect.stringContaining('id') },
      ],
    });
    expect((await store.source('stations').head()).position).toBe(0);
    expect(await store.source('stations').get('a')).toBeUndefined();
  });

  test.each([
    ['half of a surrogate pair', { id: 'n', text: 'a\ud83d' }, '/text'],
    ['half of a surrogate pair in a name', { id: 'n', deep: { '\udc00': 1 } }, '/deep'],
    ['a number that is not finite', { id: 'n', list: [0, Number.NaN] }, '/list/1'],
    ['a function', { id: 'n', 'a/b': () => 0 }, '/a~1b'],
    ['a date', { id: 'n', at: new Date(0) }, '/at'],
    ['an id that is empty', { id: '' }, '/id'],
    ['an id that is a fraction', { id: 7.5 }, '/id'],
    ['an id with U+0000', { id: 'a\u0000' }, '/id'],
    ['an id that a URL resolves away', { id: '..' }, '/id'],
    ['an id of 513 bytes', { id: `${'가'.repeat(170)}abc` }, '/id'],
    ['no id', {}, '/id'],
    ['65 levels', { id: 'n', deep: nest(64) }, ''],
    ['more than maxRecordBytes', { id: 'n', text: '가'.repeat(400) }, ''],
  ])('refuses a record with %s', async (_, record, pointer) => {
    await using database = create();
    await using store = await database.open({ resources, maxRecordBytes: 1_000 });
    const applied = store.apply([{ resource: 'notes', op: 'put', record }]);
    await expect(applied).rejects.toMatchObject({
      code: 'record_invalid',
      faults: [{ pointer: expect.stringMatching(new RegExp(`^${pointer}`)) }],
    });
  });

  test('keeps every JSON value as it is', async () => {
    await using database = create();
    await using store = await database.open({ resources });
    const text = String.raw`{"id":"😀/é 가","__proto__":{"x":1},"constructor":null,"z":[1.5,-0.0,1e21,"\u0000","\u2028"],"":{"a/b":[[]]}}`;
    const record = JSON.parse(text) as { id: string };
    await store.apply([{ resource: 'notes', op: 'put', record }]);
    const found = await store.source('notes').get('😀/é 가');
    expect(typeof found === 'object' && JSON.parse(found.body)).toEqual({
      ...record,
      z: [1.5, 0, 1e21, '\u0000', '\u2028'],
    });
    expect(typeof found === 'object' && Object.hasOwn(JSON.parse(found.body) as object, '__proto__')).toBe(
      true,
    );
  });

  test('an expected version that does not stand is a conflict that tells the present one', async () => {
    await using database = create();
    await using store = await database.open({ resources });
    const [created] = await store.apply([put({ id: 'a', height: 1 }, { expectedVersion: null })]);
    const [updated] = await store.apply([put({ id: 'a', height: 2 }, { expectedVersion: created?.version })]);
    const conflict = await store
      .apply([
        put({ id: 'b', height: 9 }),
        put({ id: 'a', height: 3 }, { expectedVersion: created?.version }),
      ])
      .catch((error: unknown) => error);
    expect(conflict).toBeInstanceOf(VersionConflictError);
    expect(conflict).toMatchObject({
      code: 'version_conflict',
      changeIndex: 1,
      resource: 'stations',
      id: 'a',
      presentVersion: updated?.version,
    });
    expect(await store.source('stations').get('b')).toBeUndefined();
    await expect(store.apply([put({ id: 'a', height: 3 }, { expectedVersion: null })])).rejects.toMatchObject(
      {
        presentVersion: updated?.version,
      },
    );
    await expect(store.apply([remove('x', { expectedVersion: 'v' })])).rejects.toMatchObject({
      presentVersion: null,
    });
    await store.apply([remove('a', { expectedVersion: updated?.version })]);
    expect(await store.source('stations').get('a')).toBe('gone');
  });

  test('takes a name for each transition that a change may turn out to be', async () => {
    await using database = create();
    const moved = { name: 'station.moved', transition: 'update' as const };
    const resource = { ...stations, events: [...(stations.events ?? []), moved] };
    await using store = await database.open({ resources: [resource] });
    const event = { create: 'station.created', update: 'station.moved' };
    for (const height of [1, 2]) await store.apply([put({ id: 'a', height }, { event })]);
    const changes = await store.source('stations').read(0, 10);
    expect(changes.map(({ eventType }) => eventType)).toEqual(['station.created', 'station.moved']);
    const unnamed = store.apply([put({ id: 'a', height: 3 }, { event: { create: 'station.created' } })]);
    await expect(unnamed).rejects.toThrow('name one of station.updated, station.moved');
    const unknown = store.apply([put({ id: 'b', height: 3 }, { event: { update: 'station.burnt' } })]);
    await expect(unknown).rejects.toThrow('declares no event "station.burnt"');
    const wrong = store.apply([put({ id: 'b', height: 3 }, { event: { create: 'station.moved' } })]);
    await expect(wrong).rejects.toThrow('is for update');
  });

  test('logs the declared event of the transition, or the named one', async () => {
    await using database = create();
    const moved = { name: 'station.moved', transition: 'update' as const };
    const resource = { ...stations, events: [...(stations.events ?? []), moved] };
    await using store = await database.open({ resources: [resource, notes] });
    await store.apply([put({ id: 'a', height: 1 })]);
    await store.apply([put({ id: 'a', height: 2 }, { event: 'station.moved' }), remove('a')]);
    await store.apply([{ resource: 'notes', op: 'put', record: { id: 'n' } }]);
    const changes = await store.source('stations').read(0, 10);
    expect(changes.map(({ eventType, transition }) => [eventType, transition])).toEqual([
      ['station.created', 'create'],
      ['station.moved', 'update'],
      ['station.removed', 'delete'],
    ]);
    expect((await store.source('notes').read(0, 1))[0]?.eventType).toBeUndefined();
    await store.apply([put({ id: 'a', height: 1 })]);
    const refused = [
      [put({ id: 'a', height: 2 }), 'name one of station.updated, station.moved'],
      [
        put({ id: 'a', height: 2 }, { event: 'station.created' }),
        'the transition of this change in stations is update',
      ],
      [put({ id: 'a', height: 2 }, { event: 'station.burnt' }), 'declares no event "station.burnt"'],
      [{ ...remove('a'), resource: 'moons' }, 'no resource "moons"'],
      [remove(''), 'the id is empty'],
    ] as const;
    for (const [change, message] of refused) {
      const failure = await store.apply([change]).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(ChangeInvalidError);
      expect(failure).toMatchObject({ code: 'change_invalid', message: expect.stringContaining(message) });
    }
    expect((await store.source('stations').head()).position).toBe(4);
  });

  test('batches that come at the same time stand or fail each for itself', async () => {
    await using database = create();
    await using store = await database.open({ resources });
    const outcomes = await Promise.allSettled([
      store.apply([put({ id: 'a', height: 1 })]),
      store.apply([put({ id: 'b', height: 1 }), put({ id: 'a', height: 2 }, { expectedVersion: null })]),
      store.apply([put({ id: 'a', height: 3 }), put({ id: 'c', height: 3 })]),
      store.apply([put({ id: 'd', height: -501 })]),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected']);
    const changes = await store.source('stations').read(0, 10);
    expect(changes.map(({ id, after }) => [id, after])).toEqual([
      ['a', '{"id":"a","height":1}'],
      ['a', '{"id":"a","height":3}'],
      ['c', '{"id":"c","height":3}'],
    ]);
  });

  test('finishes what is under way when it is closed, and refuses what comes later', async () => {
    await using database = create();
    const store = await database.open({ resources });
    const applied = store.apply([put({ id: 'a', height: 1 })]);
    await store.close();
    expect(await applied).toHaveLength(1);
    await expect(store.apply([remove('a')])).rejects.toBeInstanceOf(StoreClosedError);
    await expect(store.source('stations').head()).rejects.toMatchObject({ code: 'source_unavailable' });
    await using again = await database.open({ resources });
    expect(await again.source('stations').get('a')).toMatchObject({ position: 1 });
  });
});

function nest(levels: number): unknown {
  return levels === 0 ? 1 : [nest(levels - 1)];
}
