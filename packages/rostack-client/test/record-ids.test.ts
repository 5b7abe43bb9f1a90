import { connect, MemoryStateStore, RecordError } from 'rostack-client';
import { readInitial } from 'rostack-client/react';
import { parallelSnapshot } from 'rostack-client/snapshot';
import { ForeignServer } from 'test-support/foreign/foreign-server';
import { type JsonRecord, textOf } from 'test-support/foreign/foreign-style';
import { ledgerStyle } from 'test-support/foreign/ledger-style';
import { expect, onTestFinished, test, vi } from 'vitest';
import { followCache } from '../src/react/follow-cache.ts';
import { isLive, takeUntil } from './support/collect.ts';

/** A server with one resource, whose records have their id at `idMember`; without one, a member `id` that is none. */
async function serve(records: readonly JsonRecord[], idMember = 'code', eventData?: () => undefined) {
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))];
  const schema = { type: 'object', properties: Object.fromEntries(names.map((name) => [name, {}])) };
  const eventNames = { create: 'new', update: 'edit', delete: 'gone' };
  const events = eventData === undefined ? {} : { eventData };
  const things = { name: 'things', idMember, schema, eventNames, records, ...events };
  const server = await ForeignServer.start({ ...ledgerStyle, resources: [things] });
  onTestFinished(() => server[Symbol.asyncDispose]());
  const [token] = server.tokens;
  const open = async () => {
    const client = await connect(
      server.url,
      { method: 'shared_token', token },
      { allowInsecureLoopback: true },
    );
    onTestFinished(() => client.close());
    return client;
  };
  return { server, open, client: await open() };
}

test.for<[string, JsonRecord[], string]>([
  [
    'under any name',
    [
      { code: 'x1', size: 1 },
      { code: 'x2', size: 1 },
    ],
    '/code',
  ],
  [
    'among others that differ',
    [
      { rank: 2, code: 1 },
      { rank: 1, code: 2 },
    ],
    '/code',
  ],
  [
    'beside values that repeat',
    [
      { at: 'n', code: 'x1' },
      { at: 'n', code: 'x2' },
    ],
    '/code',
  ],
  ['with what a URL has to escape', [{ code: 'a/b ü?' }, { code: '{id}' }], '/code'],
  ['with a member id that is an object', [{ id: { a: 1 }, code: 'x1' }], '/code'],
  [
    'with a member id that repeats',
    [
      { id: 7, code: 'x1' },
      { id: 7, code: 'x2' },
    ],
    '/code',
  ],
])('the id is found %s', async ([, records, pointer]) => {
  const { client, server } = await serve(records);
  await using follow = client.follow('things');
  await takeUntil(follow, isLive);
  expect([...follow.records.keys()]).toEqual(records.map(({ code }) => textOf(code)));
  expect(await client.recordId('things')).toBe(pointer);
  const asked = server.requests.length;
  await using again = client.follow('things');
  await takeUntil(again, isLive);
  expect(server.requests.slice(asked).filter((url) => !url.includes('?'))).toEqual([]);
});

test('a text that fits no URL is never taken for an id', async () => {
  const long = 'x'.repeat(100_000);
  const { client, server } = await serve(
    [
      { text: `1${long}`, rank: 'b' },
      { text: `2${long}`, rank: 'a' },
    ],
    'rank',
  );
  await using follow = client.follow('things');
  await takeUntil(follow, isLive);
  expect([...follow.records.keys()]).toEqual(['b', 'a']);
  expect(server.requests.every((url) => url.length < 200)).toBe(true);
});

test('the id is found inside of an object, and kept with some fields', async () => {
  const records = [
    { meta: { key: 'x1', by: 'kim' }, size: 1 },
    { meta: { key: 'x2', by: 'kim' }, size: 2 },
  ];
  const { client } = await serve(records, 'meta.key');
  await using follow = client.follow('things', { fields: ['/size'] });
  await takeUntil(follow, isLive);
  expect([...follow.records.keys()]).toEqual(['x1', 'x2']);
  expect(await client.recordId('things')).toBe('/meta/key');
});

test('two places that lead to the same records are asked about, by name; lists and look-ups go on', async () => {
  const records = [{ code: 'x1', label: 'x1', size: 3 }];
  const { client } = await serve(records);
  await using follow = client.follow('things');
  const failed = await follow.next().catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(RecordError);
  expect(failed).toMatchObject({
    code: 'invalid_record',
    message: expect.stringContaining('/code or /label'),
  });
  expect(await client.get('things', 'x1')).toMatchObject({ kind: 'found' });
});

test('records in which nothing can be an id are asked about', async () => {
  const { client } = await serve([{ size: 1.5 }, { size: 2.5 }], 'size');
  await using follow = client.follow('things');
  await expect(follow.next()).rejects.toMatchObject({
    code: 'invalid_record',
    message: 'nothing in the records of things is their id: say with `recordId` where their id is',
  });
});

test('an event shows that the member id is not the id: the set is read again under the right one', async () => {
  const records = [
    { id: 1, code: 'x1' },
    { id: 2, code: 'x2' },
  ];
  const { client, server } = await serve(records);
  const store = new MemoryStateStore();
  await using follow = client.follow('things', { store });
  await takeUntil(follow, isLive);
  expect([...follow.records.keys()]).toEqual(['1', '2']);
  server.put('things', { id: 3, code: 'x3' });
  const changes = await takeUntil(follow, isLive);
  expect(changes[0]).toMatchObject({ kind: 'snapshot', reason: 'replaced' });
  expect([...follow.records.keys()]).toEqual(['x1', 'x2', 'x3']);
  server.delete('things', 'x1');
  await takeUntil(follow, ({ kind }) => kind === 'deleted');
  expect([...follow.records.keys()]).toEqual(['x2', 'x3']);
});

test.for([undefined, parallelSnapshot()])(
  'a deletion shows it too, since it would leave a record behind (%#)',
  async (snapshot) => {
    const { client, server } = await serve([
      { id: 1, code: 'x1' },
      { id: 2, code: 'x2' },
    ]);
    await using follow = client.follow('things', snapshot === undefined ? {} : { snapshot });
    await takeUntil(follow, isLive);
    server.delete('things', 'x1');
    await takeUntil(follow, isLive);
    expect([...follow.records.keys()]).toEqual(['x2']);
  },
);

test('a deletion of what was never there leaves the ids as they are', async () => {
  const { client, server } = await serve(
    [
      { code: 'x1', id: 'x1', next: 'x9' },
      { code: 'x2', id: 'x2', next: 'x3' },
    ],
    'id',
  );
  await using follow = client.follow('things');
  await takeUntil(follow, isLive);
  server.delete('things', 'x9');
  await takeUntil(follow, isLive);
  server.delete('things', 'x3');
  await takeUntil(follow, ({ kind }) => kind === 'deleted');
  expect([...follow.records.keys()]).toEqual(['x1', 'x2']);
});

test('an event of a set that was empty leaves two places, and the next event one', async () => {
  const { client, server } = await serve([]);
  await using follow = client.follow('things');
  await takeUntil(follow, isLive);
  server.put('things', { code: 'x1', label: 'x1' });
  server.put('things', { code: 'x2', label: 'x1' });
  server.put('things', { code: 'x3', label: 'x3' });
  await takeUntil(follow, (change) => 'id' in change && change.id === 'x3');
  expect([...follow.records.keys()]).toEqual(['x1', 'x2', 'x3']);
});

test('initial records are kept by the same id', async () => {
  const records = [
    { code: 'x1', size: 1 },
    { code: 'x2', size: 1 },
  ];
  const { client, server } = await serve(records);
  const { records: read } = await readInitial(client, 'things');
  expect(read).toEqual(records.map((record) => [record.code, record]));
  const { records: fields } = await readInitial(client, 'things', { fields: ['/size'] });
  expect(fields).toEqual(records.map((record) => [record.code, record]));
  const { records: given } = await readInitial(client, 'things', { recordId: '/code' });
  expect(given).toEqual(read);
  for (const { code } of records) server.delete('things', code);
  expect(await readInitial(client, 'things', { fields: ['/size'] })).toMatchObject({ records: [] });
});

test('a component finds the id, and may say where it is; those that say another place share nothing', async () => {
  const { client } = await serve([{ code: 'x1', label: 'x1', size: 3 }]);
  const cache = followCache(client, []);
  const [asking, code, label] = [
    cache.get('things', {}),
    cache.get('things', { recordId: '/code' }),
    cache.get('things', { recordId: '/label' }),
  ];
  expect(new Set([asking, code, label]).size).toBe(3);
  const leave = [asking, code, label].map((follow) => follow.subscribe(() => {}));
  await vi.waitFor(() => expect(asking.state()).toMatchObject({ status: 'failed' }), { timeout: 20_000 });
  await vi.waitFor(() => expect(label.state()).toMatchObject({ status: 'live' }), { timeout: 20_000 });
  await vi.waitFor(() => expect([...code.state().byId.keys()]).toEqual(['x1']), { timeout: 20_000 });
  for (const each of leave) each();
});
