import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createNatsHintBus } from 'rostack-store/nats';
import { describePostgres, POSTGRES_URL } from 'test-support/postgres';
import { describe, expect, test } from 'vitest';
import {
  attachTable,
  checkResourceDefinition,
  checkTableSource,
  detachTable,
  openStore,
  type ResourceDefinition,
  restoreSqlite,
  type Store,
  type StoreChange,
  type StoreOptions,
  startMover,
  type TableSource,
} from '../src/index.ts';
import { postgres } from './support/databases.ts';
import { stations } from './support/stations.ts';

const nothing = (): void => {};
/** What is refused where integers from `least` on are taken; what else is none is shown of the check itself. */
const below = (least: number): readonly number[] => [least - 1, least + 0.5];

/** An option that cannot be used, and how the message names it. */
type Wrong = readonly [options: unknown, named: string];

const numbers = (
  name: string,
  least: number,
  wrap = (value: unknown): unknown => ({ [name]: value }),
): readonly Wrong[] => below(least).map((value) => [wrap(value), name]);

const refusal = (named: string) =>
  expect.objectContaining({
    code: 'store_options_invalid',
    retryable: false,
    message: expect.stringContaining(named),
  });

const WRONG_OPTIONS: readonly Wrong[] = [
  ...['maxAgeMs', 'maxChanges', 'maxBytes', 'intervalMs'].flatMap((name) =>
    numbers(`retention.${name}`, 0, (value) => ({ retention: { [name]: value } })),
  ),
  ...numbers('maxConnections', 2),
  ...numbers('maxLongReads', 1),
  ...numbers('readTimeoutMs', 1),
  ...numbers('writeTimeoutMs', 1),
  ...numbers('pollIntervalMs', 10),
  ...numbers('maxRecordBytes', 1),
  [{ retention: { maxAge: 5 } }, '"maxAge"'],
  [{ retention: { intervalMs: 2 ** 31 } }, 'retention.intervalMs'],
  [{ retention: 7 }, 'retention'],
  [{ retension: {} }, '"retension"'],
  [{ maxLongReads: 17 }, 'maxLongReads'],
  [{ synchronous: 'off' }, 'synchronous'],
  [{ schema: 'Public' }, 'schema'],
  [{ schema: 5 }, 'schema'],
  [{ schema: '' }, 'schema'],
  [{ directUrl: 'mysql://a' }, 'directUrl'],
  [{ directUrl: 5 }, 'directUrl'],
  [{ directUrl: POSTGRES_URL }, 'directUrl'],
  [{ url: POSTGRES_URL, directUrl: 'sqlite::memory:' }, 'directUrl'],
  [{ hints: {} }, 'hints'],
  [{ hints: { publish: nothing } }, 'hints'],
  [{ hints: nothing }, 'hints'],
  [{ nowMs: 5 }, 'nowMs'],
  [{ randomId: 'abc' }, 'randomId'],
  [{ onAlarm: console }, 'onAlarm'],
  [{ resources: undefined }, 'resources'],
  [{ resources: stations }, 'resources'],
  [{ resources: [null] }, 'resources[0]'],
];

const WRONG_RESOURCES: readonly Wrong[] = [
  [{ idPonter: '/id' }, '"idPonter"'],
  [{ name: 5 }, 'name'],
  [{ name: 'Stations' }, 'name'],
  [{ schema: 'object' }, 'schema'],
  [{ schema: undefined }, 'schema'],
  [{ schema: [] }, 'schema'],
  [{ idPointer: '' }, 'idPointer'],
  [{ idPointer: ['id'] }, 'idPointer'],
  [{ idPointer: 'id' }, '"id"'],
  [{ events: 'created' }, 'events'],
  [{ events: [{ name: 'a.b', transition: 'create', schema: {} }] }, '"schema"'],
  [{ events: [{ name: 'a.b', transition: 'born' }] }, 'transition'],
  [{ filterableFields: ['/height'] }, 'filterableFields'],
  [{ filterableFields: { '/height': 'eq' } }, 'filterableFields["/height"]'],
  [{ filterableFields: { '/height': ['like'] } }, 'like'],
  [{ sortableFields: '/height' }, 'sortableFields'],
  [{ sortableFields: [5] }, 'sortableFields[0]'],
];

const WRONG_SOURCES: readonly Wrong[] = [
  [null, 'source'],
  ['public.a', 'source'],
  [{ table: 5, key: 'id' }, 'source.table'],
  [{ table: '', key: 'id' }, 'source.table'],
  [{ table: 'a' }, 'source.key'],
  [{ table: 'a', key: ['id', ''] }, 'source.key[1]'],
  [{ table: 'a', key: 'id', columns: 'id' }, 'source.columns'],
  [{ table: 'a', key: 'id', columns: [5] }, 'source.columns[0]'],
  [{ table: 'a', key: 'id', columns: [{ column: 'a', name: 'b' }] }, '"name"'],
  [{ table: 'a', key: 'id', colums: [] }, '"colums"'],
];

describe('an option that cannot be used is refused when it is given, by its name', () => {
  test.for(WRONG_OPTIONS)('of openStore: %#', async ([options, named]) => {
    const opening = openStore({ url: 'sqlite::memory:', resources: [stations], ...(options as object) });
    await expect(opening).rejects.toEqual(refusal(named));
  });

  test.for([undefined, null, 'fast', []])('the options of openStore themselves: %#', async (options) => {
    const opening = openStore(options as unknown as StoreOptions);
    await expect(opening).rejects.toEqual(refusal('options'));
  });

  test.for<[unknown]>([
    [undefined],
    [''],
    ['store.db'],
    ['sqlite:'],
    ['mysql://user:secret@host/db'],
    ['postgres://user:secret@host:99999/db'],
    ['postgres:user:secret@host/db'],
    [new URL('postgres://user:secret@host/db')],
  ])('the URL of openStore, and nothing of it is told: %#', async ([url]) => {
    const failure = await openStore({ url: url as string, resources: [stations] }).catch(
      (error: unknown) => error,
    );
    expect(failure).toEqual(refusal('URL'));
    expect(String(failure)).not.toContain('secret');
  });

  test('directUrl, and nothing of it is told', async () => {
    const directUrl = 'mysql://user:secret@host/db';
    const failure = await openStore({ url: 'sqlite::memory:', resources: [stations], directUrl }).catch(
      String,
    );
    expect(failure).toContain('directUrl');
    expect(failure).not.toContain('secret');
  });

  test.for(WRONG_RESOURCES)('of a resource: %#', async ([changes, named]) => {
    const definition = { ...stations, ...(changes as object) } as ResourceDefinition;
    await expect(openStore({ url: 'sqlite::memory:', resources: [definition] })).rejects.toEqual(
      refusal(named),
    );
    expect(() => checkResourceDefinition(definition)).toThrow(refusal(named));
  });

  test.for(WRONG_SOURCES)('of a table: %#', ([source, named]) => {
    expect(() => checkTableSource(source as TableSource, stations)).toThrow(refusal(named));
  });

  test.for<Wrong>([
    [undefined, 'options'],
    [{ servers: 'localhost:4222' }, 'options.servers'],
    [{ servers: [] }, 'options.servers'],
    [{ servers: [''] }, 'options.servers[0]'],
    [{ servers: ['localhost'], subject: '' }, 'options.subject'],
    [{ servers: ['localhost'], subject: 'rostack.>' }, 'options.subject'],
    [{ servers: ['localhost'], connection: 'secret' }, 'options.connection'],
    [{ servers: ['localhost'], topic: 'a' }, '"topic"'],
  ])('of a hint bus over NATS: %#', ([options, named]) => {
    expect(() => createNatsHintBus(options as { servers: string[] })).toThrow(refusal(named));
  });

  const TOKEN = {
    tokenId: 't',
    verifier: randomBytes(32),
    subject: 's',
    grants: ['a:b'],
    expiresAtMs: undefined,
  };
  const WRONG_TOKENS: readonly Wrong[] = [
    [null, 'token'],
    [{ ...TOKEN, tokenId: '' }, 'tokenId'],
    [{ ...TOKEN, tokenId: 'x'.repeat(129) }, 'tokenId'],
    [{ ...TOKEN, verifier: 'abc' }, 'verifier'],
    [{ ...TOKEN, verifier: randomBytes(31) }, 'verifier'],
    [{ ...TOKEN, subject: '' }, 'subject'],
    [{ ...TOKEN, grants: 'a:b' }, 'grants'],
    [{ ...TOKEN, expiresAtMs: Number.NaN }, 'expiresAtMs'],
    [{ ...TOKEN, expiresAt: 5 }, '"expiresAt"'],
  ];

  const CALLS: readonly [string, (store: Store) => unknown, string][] = [
    ...WRONG_TOKENS.map(([token, named]): [string, (store: Store) => unknown, string] => [
      `tokens.add ${named}`,
      (store) => store.tokens.add(token as typeof TOKEN),
      named,
    ]),
    ['tokens.revoke', (store) => store.tokens.revoke(''), 'tokenId'],
    ['tokens.replace', (store) => store.tokens.replace('t', TOKEN, -1), 'overlapMs'],
    ['tokens.replace', (store) => store.tokens.replace('t', TOKEN, Number.NaN), 'overlapMs'],
    ['tokens.noteUse', (store) => store.tokens.noteUse('t', Number.NaN), 'resolutionMs'],
    ['backUp', (store) => store.backUp(''), 'file'],
    ['updateNote', (store) => store.updateNote('', () => ''), 'name'],
    ['updateNote', (store) => store.updateNote('n', 'text' as unknown as () => string), 'update'],
    ['updateNote', (store) => store.updateNote('n', () => 5 as unknown as string), 'update'],
    ['apply', (store) => store.apply('put' as unknown as StoreChange[]), 'changes'],
    ['watch', async (store) => store.source('stations').watch('look' as unknown as () => void), 'onMoved'],
    ['restoreSqlite', () => restoreSqlite('', join('nowhere', 'a.db')), 'backup'],
    ['restoreSqlite', () => restoreSqlite('a.db', ''), 'file'],
    ['attachTable', () => attachTable({} as Store, 'stations', { table: 'a', key: 'id' }), 'openStore'],
  ];
  test.for(CALLS)('of a call: %s (%#)', async ([, call, named]) => {
    await using store = await openStore({ url: 'sqlite::memory:', resources: [stations] });
    await expect(call(store)).rejects.toEqual(refusal(named));
  });

  test.for<[unknown]>([[null], [{}], [{ resource: 'stations', op: 'upsert', record: {} }]])(
    'a change that is none: %#',
    async ([change]) => {
      await using store = await openStore({ url: 'sqlite::memory:', resources: [stations] });
      await expect(store.apply([change as StoreChange])).rejects.toMatchObject({ code: 'change_invalid' });
    },
  );
});

describePostgres('an option of attached tables that cannot be used', () => {
  test('is refused when it is given, by its name', async () => {
    await using database = postgres();
    await using store = await database.open({ resources: [stations] });
    const source = { table: 'nowhere', key: 'id' };
    for (const lockTimeoutMs of below(0)) {
      const options = { lockTimeoutMs };
      await expect(attachTable(store, 'stations', source, options)).rejects.toEqual(refusal('lockTimeoutMs'));
      await expect(detachTable(store, 'stations', options)).rejects.toEqual(refusal('lockTimeoutMs'));
    }
    await expect(detachTable(store, '')).rejects.toEqual(refusal('resource'));
    for (const [name, least] of [
      ['pollIntervalMs', 1],
      ['takeoverIntervalMs', 1],
      ['leaseMs', 100],
    ] as const) {
      for (const value of below(least)) {
        expect(() => startMover(store, {}, { [name]: value })).toThrow(refusal(name));
      }
    }
    expect(() => startMover(store, {}, { pollMs: 5 } as object)).toThrow(refusal('"pollMs"'));
    expect(() => startMover(store, [] as unknown as Record<string, TableSource>)).toThrow(refusal('sources'));
  });
});
