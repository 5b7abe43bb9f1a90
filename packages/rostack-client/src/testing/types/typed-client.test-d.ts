import { defineImplementation, jsonSchema, type TypesOf } from 'rostack-core';
import { expectTypeOf } from 'vitest';
import { z } from 'zod';
import {
  connect,
  type FollowChange,
  type Item,
  type RecordList,
  type RostackClient,
  type SubscriptionMessage,
} from '../../index.ts';
import { type FollowState, type ProvidedClient, typedHooks } from '../../react/index.ts';

const Station = z.object({
  id: z.string(),
  kind: z.enum(['rain', 'wind']),
  height: z.number().optional(),
  owner: z.string(),
  tags: z.array(z.string()),
  position: z.object({ latitude: z.number(), longitude: z.number() }).nullable(),
});
type Shown = Omit<z.infer<typeof Station>, 'owner'>;

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
      model: Station,
      readPermissions: ['stations:read'],
      filterable: { '/kind': ['eq', 'in'], '/height': 'all', '/tags': ['contains'], '/owner': ['eq'] },
      sortable: ['/kind', '/height'],
      hidden: { '/owner': ['stations:private'] },
      events: {
        'station.created': { transition: 'create' },
        'station.changed': { transition: 'update', carries: 'nothing' },
        'station.removed': {
          transition: 'delete',
          carries: {
            model: z.object({ last: z.string() }),
            project: ({ before }) => ({ last: before?.kind ?? '' }),
          },
        },
      },
    },
    notes: { model: jsonSchema<Note>({}), readPermissions: ['stations:read'] },
  },
});

const credential = { method: 'shared_token', token: 't' } as const;
const url = 'https://observatory.example';

/** Never called. */
export async function typesOfCalls(): Promise<void> {
  const client = await connect<typeof implementation>(url, credential);

  expectTypeOf(client).toExtend<ProvidedClient>();
  expectTypeOf(client.list('stations')).toEqualTypeOf<RecordList<Shown>>();
  expectTypeOf(client.list('notes')).toEqualTypeOf<RecordList<Note>>();
  const chosen = client.list('stations', {
    filter: {
      '/kind': { in: ['rain'] },
      $or: [{ '/height': { gte: 3, exists: true } }, { $not: { '/tags': { contains: 'old' } } }],
    },
    sort: ['-/height', '/kind'],
    fields: ['/id', '/position/latitude', '/tags/0'],
    pageSize: 10,
  });
  expectTypeOf(chosen).toEqualTypeOf<
    RecordList<{ id: string; tags: string[]; position?: { latitude: number } }>
  >();
  const checked = client.list('stations', { schema: z.object({ id: z.string().transform(Number) }) });
  expectTypeOf(checked).toEqualTypeOf<RecordList<{ id: number }>>();
  const fields: readonly string[] = ['/id'];
  expectTypeOf(client.list('stations', { fields })).toEqualTypeOf<RecordList<Partial<Shown>>>();

  expectTypeOf(client.get('notes', 1)).toEqualTypeOf<Promise<Item<Note>>>();
  expectTypeOf(client.get('notes', '1', { schema: z.object({ id: z.int() }) })).toEqualTypeOf<
    Promise<Item<{ id: number }>>
  >();

  const follow = client.follow('stations', { filter: { '/owner': { eq: 'kim' } }, recordId: ({ id }) => id });
  type EventName = 'station.created' | 'station.changed' | 'station.removed';
  expectTypeOf(follow.next()).resolves.toEqualTypeOf<
    IteratorResult<FollowChange<Shown, EventName>, undefined>
  >();
  expectTypeOf(follow.records).toEqualTypeOf<ReadonlyMap<string, Shown>>();

  for await (const message of client.subscribe('stations', { filter: { '/kind': { eq: 'rain' } } })) {
    if (message.kind !== 'event') continue;
    expectTypeOf(message.eventType).toEqualTypeOf<EventName>();
    if (message.eventType === 'station.created')
      expectTypeOf(message.data).toEqualTypeOf<Shown | undefined>();
    if (message.eventType === 'station.changed') expectTypeOf(message.data).toEqualTypeOf<undefined>();
    if (message.eventType === 'station.removed') {
      expectTypeOf(message.data).toEqualTypeOf<{ last: string } | undefined>();
    }
  }
  for await (const message of client.subscribe('stations', { eventTypes: ['station.removed'] })) {
    if (message.kind === 'event') expectTypeOf(message.data).toEqualTypeOf<{ last: string } | undefined>();
  }
  expectTypeOf(client.discovery).toEqualTypeOf<RostackClient['discovery']>();
  await client.close();

  // @ts-expect-error there is no such resource
  client.list('station');
  // @ts-expect-error there is no such resource
  void client.get('note', 1);
  // @ts-expect-error a field that is not filterable
  client.list('stations', { filter: { '/id': { eq: 'a' } } });
  // @ts-expect-error an operator that is not declared
  client.list('stations', { filter: { '/kind': { ne: 'rain' } } });
  // @ts-expect-error an operand of another type
  client.list('stations', { filter: { '/height': { gte: '3' } } });
  // @ts-expect-error an operand that the field cannot have
  client.list('stations', { filter: { $not: { '/kind': { eq: 'snow' } } } });
  // @ts-expect-error a field that is not sortable
  client.list('stations', { sort: ['/id'] });
  // @ts-expect-error a field that there is not
  client.list('stations', { fields: ['/id', '/nome'] });
  // @ts-expect-error a field that is hidden
  client.list('stations', { fields: ['/owner'] });
  // @ts-expect-error a field that is not sortable
  client.follow('stations', { sort: ['/id'] });
  // @ts-expect-error a field that there is not
  client.follow('stations', { fields: ['/nome'] });
  // @ts-expect-error no field of a note is filterable
  client.follow('notes', { filter: { '/text': { eq: 'a' } } });
  // @ts-expect-error there is no such event
  client.subscribe('stations', { eventTypes: ['station.lost'] });
  // @ts-expect-error an option that there is not
  client.list('stations', { page: 1 });
}

/** Never called. */
export function typesOfHooks(): void {
  const { useRostack, useFollow, useSuspenseFollow, useRecord, useChanges, readInitial } =
    typedHooks<typeof implementation>();

  const client = useRostack();
  expectTypeOf(client?.list('notes')).toEqualTypeOf<RecordList<Note> | undefined>();
  expectTypeOf(useFollow('stations')).toEqualTypeOf<FollowState<Shown>>();
  const tallest = useFollow('stations', {
    filter: { '/kind': { eq: 'rain' } },
    sort: ['-/height'],
    limit: 10,
    fields: ['/position/latitude'],
  });
  expectTypeOf(tallest.records).toEqualTypeOf<readonly { position?: { latitude: number } }[]>();
  const { records, status } = useSuspenseFollow('notes', { schema: z.object({ id: z.int() }) });
  expectTypeOf(records).toEqualTypeOf<readonly { id: number }[]>();
  expectTypeOf(status).toEqualTypeOf<'restored' | 'stale' | 'live' | 'reconnecting' | 'failed'>();
  expectTypeOf(useRecord('stations', 'a', { fields: ['/kind'] })).toEqualTypeOf<
    { kind: 'rain' | 'wind' } | undefined
  >();
  useChanges('stations', (change) => {
    expectTypeOf(change).toEqualTypeOf<
      FollowChange<Shown, 'station.created' | 'station.changed' | 'station.removed'>
    >();
  });
  if (client !== undefined) void readInitial(client, 'stations', { sort: ['/kind'] });

  // @ts-expect-error there is no such resource
  useFollow('station');
  // @ts-expect-error a field that is not filterable
  useFollow('stations', { filter: { '/id': { eq: 'a' } } });
  // @ts-expect-error a field that is not sortable
  useSuspenseFollow('stations', { sort: ['/id'] });
  // @ts-expect-error a field that is hidden
  useRecord('stations', 'a', { fields: ['/owner'] });
  // @ts-expect-error a component's follow ends with it
  useFollow('stations', { signal: AbortSignal.abort() });
  useChanges('stations', (change) => {
    // @ts-expect-error there is no such event
    if ('event' in change && change.event.eventType === 'station.lost') return;
  });
}

/** Types that were written from a live server have the same form. */
interface Written {
  readonly '~types'?:
    | {
        readonly notes: {
          readonly record: Note;
          readonly shown: Note;
          readonly filterable: { readonly '/text': { readonly eq?: string } };
          readonly sortable: never;
          readonly events: { readonly 'note.made': { readonly transition: 'create'; readonly data: Note } };
          readonly representations: {};
        };
      }
    | undefined;
}

/** Never called. */
export async function typesOfOthers(): Promise<void> {
  const written = await connect<Written>(url, credential);
  expectTypeOf(written.list('notes', { filter: { '/text': { eq: 'a' } } })).toEqualTypeOf<RecordList<Note>>();
  expectTypeOf(written.subscribe('notes').next()).resolves.toExtend<
    IteratorResult<SubscriptionMessage<Note>, undefined>
  >();
  expectTypeOf<keyof TypesOf<Written>>().toEqualTypeOf<'notes'>();

  expectTypeOf(connect(url, credential)).resolves.toEqualTypeOf<RostackClient>();
}
