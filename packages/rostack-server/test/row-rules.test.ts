import { DefinitionError, defineImplementation, type RowRule } from 'rostack-core';
import { createDatabase, hasPostgres } from 'test-support/postgres';
import { thrownBy } from 'test-support/thrown-by';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { bindSource } from './support/bind-source.ts';
import { booking, Tenants } from './support/tenants.ts';

const ids = ({ items }: { readonly items: readonly { readonly id: string }[] }) => items.map(({ id }) => id);
const filter = (value: object) => `filter=${encodeURIComponent(JSON.stringify(value))}`;

/** What a client can tell answers apart by. */
async function answerOf(response: Response) {
  const { request_id: _, ...problem } = (await response.json()) as Record<string, unknown>;
  const headers = [...response.headers].filter(([name]) => !['date', 'x-request-id'].includes(name));
  return { status: response.status, problem, headers };
}

describe.each(hasPostgres ? ['SQLite', 'PostgreSQL'] : ['SQLite'])('rows by principal on %s', (kind) => {
  const start = async (visible?: RowRule) => {
    const database = kind === 'SQLite' ? undefined : await createDatabase();
    const tenants = await Tenants.start({
      ...(database && { storeUrl: database.url }),
      ...(visible && { visible }),
    });
    return {
      tenants,
      async [Symbol.asyncDispose]() {
        await tenants[Symbol.asyncDispose]();
        await database?.[Symbol.asyncDispose]();
      },
    };
  };

  test('lists show the rows of the rule and of the filter, along each chain', async () => {
    await using started = await start();
    const { tenants } = started;
    await tenants.put(
      ...Array.from({ length: 30 }, (_, at) =>
        booking(`b${String(at).padStart(2, '0')}`, 'abc'[at % 3] ?? '', at),
      ),
    );
    const a = tenants.issue('a', { tenant: 'a' }).token;
    expect(ids(await tenants.list(a))).toEqual(
      Array.from({ length: 10 }, (_, at) => `b${String(at * 3).padStart(2, '0')}`),
    );
    expect(ids(await tenants.list(a, `?${filter({ '/seats': { gte: 20 } })}&sort=-/seats`))).toEqual([
      'b27',
      'b24',
      'b21',
    ]);
    const first = await tenants.list(a, '?limit=4&sort=-/seats');
    expect(ids(first)).toEqual(['b27', 'b24', 'b21', 'b18']);
    await tenants.put(booking('b18', 'b'), booking('b01', 'a', 16));
    const query = `?limit=4&sort=-/seats&cursor=`;
    const second = await tenants.list(a, query + first.page.next_cursor);
    const third = await tenants.list(a, query + second.page.next_cursor);
    expect([...ids(second), ...ids(third)]).toEqual(['b15', 'b12', 'b09', 'b06', 'b03', 'b00']);
    expect(third.page).toMatchObject({ next_cursor: null, has_more: false });
    expect(ids(await tenants.list(a, '?limit=2&sort=-/seats'))).toEqual(['b27', 'b24']);
  });

  test('what the rule compares is not filterable by itself', async () => {
    await using started = await start();
    const a = started.tenants.issue('a', { tenant: 'a' }).token;
    const response = await started.tenants.fetch(`bookings?${filter({ '/tenant': { eq: 'b' } })}`, a);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ detail: expect.not.stringContaining('b"') });
  });

  test('who has no claim is shown nothing, and can follow what comes into sight', async () => {
    await using started = await start();
    const { tenants } = started;
    await tenants.put(booking('b1', 'a'));
    const nobody = tenants.issue('n', {}).token;
    const page = await tenants.list(nobody);
    expect(page).toMatchObject({ items: [], page: { next_cursor: null, has_more: false } });
    expect((await tenants.fetch('bookings/b1', nobody)).status).toBe(404);
    await using client = await tenants.client(nobody);
    await client.subscribe('s', 'bookings', { cursor: page.page.event_cursor });
    await client.next('replay_complete');
    await tenants.put(booking('b1', 'b'));
    await client.subscribe('t', 'halls');
    await tenants.store.apply([{ op: 'put', resource: 'halls', record: { id: 'h' } }]);
    expect((await client.next('event')).subscription_id).toBe('t');
  });

  test('an item out of sight is answered as one that never was, whatever is asked of it', async () => {
    await using started = await start();
    const { tenants } = started;
    const a = tenants.issue('a', { tenant: 'a' }).token;
    const b = tenants.issue('b', { tenant: 'b' }).token;
    await tenants.put(
      booking('mine', 'a'),
      booking('theirs', 'b'),
      booking('left', 'a'),
      booking('came', 'b'),
    );
    await tenants.put(booking('left', 'b'), booking('came', 'a'));
    await tenants.put(booking('deleted-mine', 'a'), booking('deleted-theirs', 'a'));
    await tenants.put(booking('deleted-theirs', 'b'));
    await tenants.remove('deleted-mine', 'deleted-theirs');
    const never = await answerOf(await tenants.fetch('bookings/never', a));
    expect(never).toMatchObject({ status: 404, problem: { title: 'Resource not found' } });
    const etag = (await tenants.fetch('bookings/theirs', b)).headers.get('etag') ?? '';
    for (const id of ['theirs', 'left', 'deleted-theirs']) {
      for (const headers of [{}, { 'if-none-match': etag }, { 'if-none-match': '*' }]) {
        expect(await answerOf(await tenants.fetch(`bookings/${id}`, a, headers))).toEqual(never);
      }
      const head = await tenants.fetch(`bookings/${id}`, a, {}, 'HEAD');
      expect([head.status, await head.text()]).toEqual([404, '']);
      const post = await tenants.fetch(`bookings/${id}`, a, {}, 'POST');
      expect(await answerOf(post)).toEqual(
        await answerOf(await tenants.fetch('bookings/never', a, {}, 'POST')),
      );
    }
    expect((await tenants.fetch('bookings/deleted-mine', a)).status).toBe(410);
    expect((await tenants.fetch('bookings/deleted-theirs', b)).status).toBe(410);
    for (const id of ['mine', 'came']) expect((await tenants.fetch(`bookings/${id}`, a)).status).toBe(200);
    expect((await tenants.fetch('bookings/theirs', b, { 'if-none-match': etag })).status).toBe(304);
  });

  test('nothing that a client gets says how many changes it did not see', async () => {
    await using started = await start();
    const { tenants } = started;
    const a = tenants.issue('a', { tenant: 'a' }).token;
    await using client = await tenants.client(a);
    await client.subscribe('s', 'bookings');
    await tenants.put(booking('mine', 'a', 1));
    const texts: string[] = [];
    for (const seats of [2, 3]) {
      await tenants.put(...Array.from({ length: 1_000 }, (_, at) => booking(`theirs${at}`, 'b', seats)));
      await tenants.put(booking('mine', 'a', seats));
      const etag = (await tenants.fetch('bookings/mine', a)).headers.get('etag');
      texts.push(String(etag), (await tenants.list(a)).page.event_cursor);
      const isSeen = ({ data }: { readonly data?: unknown }) => (data as { seats?: number }).seats === seats;
      await client.until(() => client.events.some(isSeen));
      const event = client.events.find(isSeen);
      texts.push(String(event?.event_id), String(event?.cursor), String(event?.resource_version));
      expect(etag).toBe(`"${event?.resource_version}"`);
    }
    expect(new Set(texts.map((text) => text.replace(/^"|"$/g, ''))).size).toBe(6);
    for (const hidden of ['1002', '2003']) {
      for (const text of texts) {
        expect(text).not.toContain(hidden);
        for (const part of text.split(/[.~"-]/))
          expect(Buffer.from(part, 'base64url').toString('latin1')).not.toContain(hidden);
      }
    }
  });

  test('rows enter and leave as filter transitions, with the state before as the tombstone', async () => {
    await using started = await start();
    const { tenants } = started;
    const a = tenants.issue('a', { tenant: 'a' }).token;
    await using client = await tenants.client(a);
    await client.subscribe('all', 'bookings');
    await client.subscribe('big', 'bookings', { filter: { '/seats': { gte: 5 } } });
    await tenants.put(booking('x', 'b', 9));
    await tenants.put(booking('x', 'a', 1));
    await tenants.put(booking('x', 'a', 7));
    await tenants.put(booking('x', 'b', 8));
    await tenants.put(booking('x', 'b', 9));
    await tenants.remove('x');
    await tenants.put(booking('last', 'a', 5));
    await client.until(() => client.events.filter(({ resource_id }) => resource_id === 'last').length === 2);
    const seen = (id: string) =>
      client.events
        .filter(({ subscription_id }) => subscription_id === id)
        .map(({ event_type, data }) => [event_type, data]);
    expect(seen('all')).toEqual([
      ['booking.created', booking('x', 'a', 1)],
      ['booking.updated', booking('x', 'a', 7)],
      ['booking.deleted', booking('x', 'a', 7)],
      ['booking.created', booking('last', 'a', 5)],
    ]);
    expect(seen('big')).toEqual([
      ['booking.created', booking('x', 'a', 7)],
      ['booking.deleted', booking('x', 'a', 7)],
      ['booking.created', booking('last', 'a', 5)],
    ]);
    await using second = await tenants.client(a);
    await second.subscribe('again', 'bookings', {
      cursor: (await tenants.list(a)).page.event_cursor,
    });
    await second.next('replay_complete');
    const [created] = client.events;
    await second.subscribe('replay', 'bookings', { cursor: created?.cursor });
    await second.until(() => second.events.length === 3);
    expect(second.events.map(({ event_type, data }) => [event_type, data])).toEqual(seen('all').slice(1));
  });

  test('other rights: chains are no longer continued, subscribers and resumers take a new snapshot, the others go on', async () => {
    await using started = await start();
    const { tenants } = started;
    await tenants.put(...['1', '2', '3'].map((id) => booking(id, 'a')), booking('4', 'b'));
    const issued = tenants.issue('p', { tenant: 'a' });
    const page = await tenants.list(issued.token, '?limit=1');
    const tag = (await tenants.fetch('bookings', issued.token)).headers.get('etag') ?? '';
    await using client = await tenants.client(issued.token);
    await client.subscribe('bookings', 'bookings', { cursor: page.page.event_cursor });
    await client.next('replay_complete');
    await client.subscribe('halls', 'halls');

    tenants.issue('p', { tenant: 'b' }, issued);
    expect(await client.next('error')).toMatchObject({
      code: 'cursor_unavailable',
      subscription_id: 'bookings',
      message: expect.stringContaining('shows other records'),
    });
    await tenants.put(booking('1', 'a', 2), booking('5', 'b'));
    await tenants.store.apply([{ op: 'put', resource: 'halls', record: { id: 'h' } }]);
    expect(await client.next('event')).toMatchObject({ subscription_id: 'halls' });

    const chain = await tenants.fetch(`bookings?limit=1&cursor=${page.page.next_cursor}`, issued.token);
    expect(await chain.json()).toMatchObject({ status: 400, title: 'Invalid cursor' });
    const fresh = await tenants.fetch('bookings', issued.token, { 'if-none-match': tag });
    expect(fresh.status).toBe(200);
    expect(ids((await fresh.json()) as never)).toEqual(['4', '5']);
    client.send({
      type: 'subscribe',
      subscription_id: 'old',
      resource: 'bookings',
      cursor: page.page.event_cursor,
    });
    expect(await client.next('error')).toMatchObject({ code: 'cursor_unavailable', subscription_id: 'old' });
    await client.subscribe('new', 'bookings', {
      cursor: (await tenants.list(issued.token)).page.event_cursor,
    });
    await client.next('replay_complete');
    await tenants.put(booking('4', 'b', 2));
    expect(await client.next('event')).toMatchObject({ subscription_id: 'new', resource_id: '4' });
  });

  test('authenticating again with other rights ends what shows other rows, before anything of the new ones', async () => {
    await using started = await start();
    const { tenants } = started;
    const a = tenants.issue('p', { tenant: 'a' }).token;
    const b = tenants.issue('p', { tenant: 'b' }).token;
    const same = tenants.issue('p', { tenant: 'a' }).token;
    await using client = await tenants.client(a);
    await client.subscribe('bookings', 'bookings');
    await client.subscribe('halls', 'halls');
    await client.authenticate(same);
    await tenants.put(booking('1', 'a'));
    expect(await client.next('event')).toMatchObject({ subscription_id: 'bookings' });
    await client.authenticate(b);
    expect(await client.next('error')).toMatchObject({
      code: 'cursor_unavailable',
      subscription_id: 'bookings',
    });
    await tenants.put(booking('2', 'a'), booking('3', 'b'));
    await client.subscribe('bookings', 'bookings', { cursor: (await tenants.list(b)).page.event_cursor });
    await client.next('replay_complete');
    await tenants.put(booking('4', 'b'));
    expect(await client.next('event')).toMatchObject({ resource_id: '4' });
  });

  test('pages in memory are kept apart by what is visible', async () => {
    await using started = await start();
    const { tenants } = started;
    await tenants.put(booking('1', 'a'), booking('2', 'b'));
    const issued = tenants.issue('p', { tenant: 'a' });
    for (let times = 0; times < 3; times += 1) expect(ids(await tenants.list(issued.token))).toEqual(['1']);
    const tag = (await tenants.fetch('bookings', issued.token)).headers.get('etag') ?? '';
    tenants.issue('p', { tenant: 'b' }, issued);
    expect((await tenants.fetch('bookings', issued.token, { 'if-none-match': tag })).status).toBe(200);
    for (let times = 0; times < 3; times += 1) expect(ids(await tenants.list(issued.token))).toEqual(['2']);
    tenants.issue('p', {}, issued);
    for (let times = 0; times < 3; times += 1) expect(ids(await tenants.list(issued.token))).toEqual([]);
  });
});

test('a rule that depends on more than the principal ends subscriptions when it changes its mind', async () => {
  let tenant = 'a';
  await using tenants = await Tenants.start({ visible: () => ({ '/tenant': { eq: tenant } }) });
  const { token } = tenants.issue('p', {});
  await using client = await tenants.client(token);
  await client.subscribe('s', 'bookings');
  tenant = 'b';
  expect(await client.next('error')).toMatchObject({ code: 'cursor_unavailable', subscription_id: 's' });
});

test('a rule that shows all shows all', async () => {
  await using tenants = await Tenants.start({ visible: () => 'all' });
  await tenants.put(booking('1', 'a'), booking('2', 'b'));
  expect(ids(await tenants.list(tenants.issue('p', {}).token))).toEqual(['1', '2']);
});

test.each<[string, RowRule]>([
  [
    'throws',
    () => {
      throw new Error('secret of the rule');
    },
  ],
  ['gives nothing', (() => undefined) as unknown as RowRule],
  ['gives no filter', () => ({ tenant: 'a' })],
])('a rule that %s shows nobody anything, and is reported', async (_, visible) => {
  await using tenants = await Tenants.start({ visible });
  await tenants.put(booking('1', 'a'));
  const { token } = tenants.issue('p', {});
  for (const path of ['bookings', 'bookings/1', 'bookings/2']) {
    const response = await tenants.fetch(path, token);
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('secret');
  }
  expect(tenants.errors).toHaveLength(3);
  await using client = await tenants.client(token);
  client.send({ type: 'subscribe', subscription_id: 's', resource: 'bookings' });
  expect(await client.closed).toMatchObject({ code: 4500 });
  expect(client.events).toEqual([]);
});

test('a source that does not heed what is visible gives away no record', async () => {
  await using tenants = await Tenants.start({
    wrapSource: (source) => ({ ...bindSource(source), get: (id) => source.get(id) }),
  });
  await tenants.put(booking('1', 'a'));
  const response = await tenants.fetch('bookings/1', tenants.issue('b', { tenant: 'b' }).token);
  expect(response.status).toBe(500);
  expect(String(tenants.errors[0]?.error)).toContain('RecordSource.get');
  expect((await tenants.fetch('bookings/1', tenants.issue('a', { tenant: 'a' }).token)).status).toBe(200);
});

test('a resource with events and a rule needs one event for each transition', () => {
  const define = () =>
    defineImplementation({
      id: 'b',
      name: 'B',
      apiVersion: '1',
      documentationUrl: 'https://b.example',
      baseUrl: 'https://b.example',
      permissions: { 'b:read': 'Read' },
      resources: {
        bookings: {
          model: z.strictObject({ id: z.string() }),
          readPermissions: ['b:read'],
          visible: () => 'all',
          events: { created: { transition: 'create' } },
        },
      },
    });
  const error = thrownBy(define);
  expect(error).toBeInstanceOf(DefinitionError);
  expect(error).toMatchObject({
    faults: [
      {
        path: '/resources/bookings/visible',
        message: expect.stringContaining('one event for each of create, update and delete'),
      },
    ],
  });
});
