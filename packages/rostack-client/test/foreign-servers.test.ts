import { join } from 'node:path';
import { connect, MemoryStateStore } from 'rostack-client';
import { parallelSnapshot } from 'rostack-client/snapshot';
import { ForeignServer } from 'test-support/foreign/foreign-server';
import { type JsonRecord, textOf } from 'test-support/foreign/foreign-style';
import { goStyle } from 'test-support/foreign/go-style';
import { ledgerStyle } from 'test-support/foreign/ledger-style';
import { temporaryFolder } from 'test-support/temporary-folder';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isLive, takeUntil } from './support/collect.ts';
import { postgresTable, sqliteTable } from './support/mirrored-table.ts';
import { jsonLines, runCommand } from './support/run-cli.ts';

interface Case {
  readonly title: string;
  readonly style: typeof goStyle;
  readonly resource: string;
  readonly idMember: string;
  /** Of a record that is there, and of the one that replaces it. */
  readonly changed: JsonRecord;
  readonly added: JsonRecord;
}

const message = { kind: 'in', recordedAt: '2026-08-14T10:00:00+09:00' };

const CASES: readonly Case[] = [
  {
    title: 'values of any type',
    style: goStyle,
    resource: 'health-steps',
    idMember: 'deviceId',
    changed: { ...message, deviceId: 'ring/3', value: ['a', null, 3] },
    added: { ...message, deviceId: 'watch 4', value: null },
  },
  {
    title: 'messages of several pages',
    style: goStyle,
    resource: 'sms-messages',
    idMember: 'deviceId',
    changed: { ...message, deviceId: 'sms 7', value: null },
    added: { ...message, deviceId: 'sms-new', value: { body_text: 'new' } },
  },
  {
    title: 'nothing at first',
    style: goStyle,
    resource: 'call-log',
    idMember: 'deviceId',
    changed: { ...message, deviceId: 'call-1', value: 1 },
    added: { ...message, deviceId: 'call-2', value: [] },
  },
  {
    title: 'integer ids and events without data',
    style: ledgerStyle,
    resource: 'books',
    idMember: 'id',
    changed: { id: 7, title: 'Lent', tags: ['new'], lent_to: null },
    added: { id: 99, title: 'New', tags: [] },
  },
  {
    title: 'an integer id of another name',
    style: ledgerStyle,
    resource: 'entries',
    idMember: 'number',
    changed: { number: 1_007, page: 1, amount: null },
    added: { number: 2_000, page: 9, amount: 0.5 },
  },
];

async function open({ style }: Case) {
  const server = await ForeignServer.start(style);
  onTestFinished(() => server[Symbol.asyncDispose]());
  const [token] = server.tokens;
  const client = await connect(
    server.url,
    { method: 'shared_token', token },
    { allowInsecureLoopback: true },
  );
  onTestFinished(() => client.close());
  const environment = { ROSTACK_TOKEN: token };
  const run = (...argv: readonly string[]) => runCommand(argv, { environment });
  return { server, client, run };
}

/** What a follower of the records of a server has to hold. */
function heldBy(server: ForeignServer, { resource, idMember }: Case): Record<string, unknown> {
  return Object.fromEntries(server.records(resource).map((record) => [textOf(record[idMember]), record]));
}

function change(server: ForeignServer, { resource, changed, added, idMember }: Case): void {
  server.put(resource, changed);
  server.put(resource, added);
  server.put(resource, { ...added, ...changed, [idMember]: added[idMember] ?? null });
  server.delete(resource, textOf(changed[idMember]));
}

describe.for(CASES)('of $style.name, $title', (one) => {
  const { resource, idMember, added, changed } = one;

  test('is listed and got', async () => {
    const { server, client, run } = await open(one);
    server.put(resource, added);
    const { code, output, errors } = await run('list', server.url, resource);
    expect([code, errors]).toEqual([0, '']);
    expect(jsonLines(output)).toEqual(server.records(resource));
    const id = textOf(added[idMember]);
    expect(await client.get(resource, id)).toMatchObject({ kind: 'found', record: added });
    expect(await run('get', server.url, resource, id)).toMatchObject({ code: 0, errors: '' });
    expect(await run('get', server.url, resource, 'none')).toMatchObject({ code: 3 });
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

  test.for([
    ['SQLite', (folder: string) => sqliteTable(folder)],
    ['PostgreSQL', postgresTable],
  ] as const)('is mirrored in %s', async ([name, openTable]) => {
    const { server } = await open(one);
    await using folder = await temporaryFolder();
    await using table = await openTable(folder.path);
    const environment = { ROSTACK_TOKEN: server.tokens[0], ...table.environment };
    const named = name === 'SQLite' ? ['--table=stations'] : [];
    const mirror = () =>
      runCommand(['mirror', server.url, resource, ...table.argv, ...named, '--once'], { environment });
    expect(await mirror()).toMatchObject({ code: 0 });
    expect(Object.fromEntries(await table.records())).toEqual(heldBy(server, one));
    change(server, one);
    expect(await mirror()).toMatchObject({ code: 0 });
    expect(Object.fromEntries(await table.records())).toEqual(heldBy(server, one));
  });

  test('is printed as it changes', async () => {
    const { server, run } = await open(one);
    await using folder = await temporaryFolder();
    const state = join(folder.path, 'state.db');
    const print = () => run('follow', server.url, resource, '--state', state, '--once');
    const printed = await print();
    expect(printed).toMatchObject({ code: 0, errors: '' });
    const present = Object.keys(heldBy(server, one));
    expect(jsonLines(printed.output).map(({ id }) => id)).toEqual([...present, undefined]);
    change(server, one);
    const more = await print();
    expect(jsonLines(more.output).at(-2)).toMatchObject({ kind: 'deleted', id: textOf(changed[idMember]) });
  });
});

test.for([goStyle, ledgerStyle])('doctor finds no fault with $name, and types describe it', async (style) => {
  const { server, run } = await open({ ...(CASES[0] as Case), style });
  const { code, output } = await run('doctor', server.url, '--json');
  expect(jsonLines(output).filter(({ level }) => level === 'fault')).toEqual([]);
  expect(code).toBe(0);
  const types = await run('types', server.url);
  expect(types).toMatchObject({ code: 0, errors: '' });
  for (const { name } of style.resources) expect(types.output).toContain(name);
});

test('a list of strings is filtered and followed by what it contains, though events carry nothing', async () => {
  const { server, client, run } = await open({ ...(CASES[0] as Case), style: ledgerStyle });
  const filter = { '/tags': { contains: 'blue' } };
  const blue = () => server.records('books').filter(({ tags }) => (tags as string[]).includes('blue'));
  const { output, errors } = await run('list', server.url, 'books', `--filter=${JSON.stringify(filter)}`);
  expect([jsonLines(output), errors]).toEqual([blue(), '']);
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
