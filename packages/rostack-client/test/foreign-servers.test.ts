import { connect, MemoryStateStore } from 'rostack-client';
import { parallelSnapshot } from 'rostack-client/snapshot';
import { ForeignServer } from 'test-support/foreign/foreign-server';
import { type JsonRecord, textOf } from 'test-support/foreign/foreign-style';
import { ledgerStyle } from 'test-support/foreign/ledger-style';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isLive, takeUntil } from './support/collect.ts';
import { change, FOREIGN_CASES, type ForeignCase, heldBy } from './support/foreign-cases.ts';

async function open({ style }: Pick<ForeignCase, 'style'>) {
  const server = await ForeignServer.start(style);
  onTestFinished(() => server[Symbol.asyncDispose]());
  const [token] = server.tokens;
  const client = await connect(
    server.url,
    { method: 'shared_token', token },
    { allowInsecureLoopback: true },
  );
  onTestFinished(() => client.close());
  return { server, client };
}

async function collected<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe.for(FOREIGN_CASES)('of $style.name, $title', (one) => {
  const { resource, idMember, added } = one;

  test('is listed and got', async () => {
    const { server, client } = await open(one);
    server.put(resource, added);
    expect(await collected(client.list(resource))).toEqual(server.records(resource));
    const id = textOf(added[idMember]);
    expect(await client.get(resource, id)).toMatchObject({ kind: 'found', record: added });
    expect(await client.get(resource, 'none')).toMatchObject({ kind: 'absent' });
  });

  test.for([
    ['one chain of pages', undefined],
    ['several ranges', parallelSnapshot()],
  ] as const)('is followed, from %s', async ([, snapshot]) => {
    const { server, client } = await open(one);
    await using follow = client.follow(resource, snapshot === undefined ? {} : { snapshot });
    await takeUntil(follow, isLive);
    expect(Object.fromEntries(follow.records)).toEqual(heldBy(server, one));
    change(server, one);
    const kinds = await takeUntil(follow, ({ kind }) => kind === 'deleted');
    expect(Object.fromEntries(follow.records)).toEqual(heldBy(server, one));
    expect(kinds.filter(({ kind }) => kind === 'snapshot')).toEqual([]);
  });

  test('is followed with some of its fields', async () => {
    const { server, client } = await open(one);
    const field = Object.keys(added).at(-1) ?? '';
    await using follow = client.follow(resource, { fields: [`/${field}`] });
    await takeUntil(follow, isLive);
    change(server, one);
    await takeUntil(follow, ({ kind }) => kind === 'deleted');
    const all = Object.entries(heldBy(server, one)) as [string, JsonRecord][];
    const shown = ([id, record]: [string, JsonRecord]) =>
      [id, { ...(idMember in record && { [idMember]: record[idMember] }), [field]: record[field] }] as const;
    expect(JSON.parse(JSON.stringify(Object.fromEntries(follow.records)))).toEqual(
      JSON.parse(JSON.stringify(Object.fromEntries(all.map(shown)))),
    );
  });

  test('goes on from what was stored', async () => {
    const { server, client } = await open(one);
    const store = new MemoryStateStore();
    const first = client.follow(resource, { store });
    await takeUntil(first, isLive);
    await first.return();
    change(server, one);
    const [token] = server.tokens;
    const later = await connect(
      server.url,
      { method: 'shared_token', token },
      { allowInsecureLoopback: true },
    );
    onTestFinished(() => later.close());
    const listed = server.requests.length;
    await using second = later.follow(resource, { store });
    await takeUntil(second, isLive);
    expect(Object.fromEntries(second.records)).toEqual(heldBy(server, one));
    const pages = server.requests.slice(listed).filter((url) => url.startsWith(`/api/${resource}?`));
    expect(pages).toEqual([]);
  });
});

test('a list of strings is filtered and followed by what it contains, though events carry nothing', async () => {
  const { server, client } = await open({ style: ledgerStyle });
  const filter = { '/tags': { contains: 'blue' } };
  const blue = () => server.records('books').filter(({ tags }) => (tags as string[]).includes('blue'));
  expect(await collected(client.list('books', { filter }))).toEqual(blue());
  await using follow = client.follow('books', { filter });
  await takeUntil(follow, isLive);
  server.put('books', { id: 2, title: 'in', tags: ['blue'] });
  server.put('books', { id: 1, title: 'out', tags: ['old'] });
  server.put('books', { id: 3, title: 'never', tags: ['white'] });
  server.put('books', { id: 99, title: 'new', tags: ['a', 'blue'] });
  await takeUntil(follow, (change) => 'id' in change && change.id === '99');
  const ids = new Set([...follow.records.values()].map(({ id }) => id));
  expect(ids).toEqual(new Set(blue().map(({ id }) => id)));
});
