import { defineImplementation, jsonSchema, type RecordSource } from 'rostack-core';
import { expectTypeOf } from 'vitest';
import { z } from 'zod';
import { attachTable, openStore, type Store, type StoreChange } from '../index.ts';

interface Note {
  id: number;
  text: string;
}

const implementation = defineImplementation({
  id: 'observatory',
  name: 'Observatory',
  apiVersion: '1',
  documentationUrl: 'https://observatory.example/docs',
  baseUrl: 'https://observatory.example',
  permissions: { 'stations:read': 'Read', 'stations:private': 'Private' },
  resources: {
    stations: {
      model: z.object({ id: z.string(), height: z.number().optional(), owner: z.string() }),
      readPermissions: ['stations:read'],
      hidden: { '/owner': ['stations:private'] },
      events: {
        'station.created': { transition: 'create' },
        'station.moved': { transition: 'update' },
        'station.changed': { transition: 'update' },
        'station.removed': { transition: 'delete' },
      },
    },
    notes: { model: jsonSchema<Note>({}), readPermissions: ['stations:read'] },
    plain: { model: { type: 'object' }, readPermissions: ['stations:read'] },
  },
});

const note: Note = { id: 1, text: 'an interface' };

/** Never called. */
export async function typesOfStores(): Promise<void> {
  const store = await openStore({ url: 'sqlite::memory:', implementation });
  expectTypeOf(store.source('stations')).toEqualTypeOf<RecordSource>();
  const someName: string = 'stations';
  expectTypeOf(store.source(someName)).toEqualTypeOf<RecordSource>();
  // What takes any store takes this one.
  expectTypeOf(store).toExtend<Store>();
  await attachTable(store, 'stations', { table: 't', key: 'id', columns: ['id'] });
  await store.apply([
    { op: 'put', resource: 'stations', record: { id: 'a', owner: 'kim' }, event: 'station.moved' },
    {
      op: 'put',
      resource: 'stations',
      record: { id: 'a', owner: 'kim', height: 3 },
      event: { update: 'station.changed' },
    },
    { op: 'delete', resource: 'stations', id: 'a', event: 'station.removed', expectedVersion: null },
    { op: 'put', resource: 'notes', record: note },
    { op: 'put', resource: 'plain', record: note },
  ]);

  // @ts-expect-error there is no such resource
  store.source('station');
  // @ts-expect-error there is no such resource
  void store.explain('station', { sort: [], limit: 1 });
  // @ts-expect-error there is no such resource
  await store.apply([{ op: 'delete', resource: 'station', id: 'a' }]);
  // @ts-expect-error a record without a member that is required
  await store.apply([{ op: 'put', resource: 'stations', record: { id: 'a' } }]);
  // @ts-expect-error a member of another type
  store.check([{ op: 'put', resource: 'notes', record: { id: 'a', text: 'b' } }]);
  // @ts-expect-error a record of another resource
  store.check([{ op: 'put', resource: 'stations', record: note }]);
  // @ts-expect-error an event of another transition
  store.check([{ op: 'put', resource: 'notes', record: note, event: 'station.removed' }]);
  // @ts-expect-error there is no such event
  store.check([{ op: 'delete', resource: 'stations', id: 'a', event: 'station.lost' }]);
  // @ts-expect-error an event of another transition
  store.check([{ op: 'delete', resource: 'stations', id: 'a', event: { delete: 'station.moved' } }]);

  const byHand = await openStore({
    url: 'sqlite::memory:',
    resources: [{ name: 'notes', schema: {}, idPointer: '/id' }],
  });
  expectTypeOf(byHand).toEqualTypeOf<Store>();
  const changes: readonly StoreChange[] = [{ op: 'put', resource: 'any', record: note, event: 'note.made' }];
  await byHand.apply(changes);
}
