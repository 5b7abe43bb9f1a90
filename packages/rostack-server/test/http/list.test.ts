import { PositionExpiredError, SourceUnavailableError } from 'rostack-core';
import { expect, test } from 'vitest';
import { PAGE_CURSOR_LIFETIME_MS } from '../../src/http/index.ts';
import { bindSource } from '../support/bind-source.ts';
import { Observatory, station } from '../support/observatory.ts';
import { defineObservatory } from '../support/observatory-implementation.ts';

const CURSOR_PERIOD_MS = 300_000;

interface Collection {
  items: { id: string }[];
  page: { next_cursor: string | null; has_more: boolean; event_cursor?: string };
}

async function readChain(
  observatory: Observatory,
  url: string,
  between?: () => Promise<void>,
): Promise<Collection[]> {
  const pages: Collection[] = [];
  let cursor: string | null = null;
  do {
    const separator = url.includes('?') ? '&' : '?';
    const page: Collection = await observatory.get(
      cursor === null ? url : `${url}${separator}cursor=${cursor}`,
    );
    pages.push(page);
    cursor = page.page.next_cursor;
    expect(page.page.has_more).toBe(cursor !== null);
    await between?.();
  } while (cursor !== null);
  return pages;
}

test('a chain of pages holds every record once, as stored, with one event cursor', async () => {
  await using observatory = await Observatory.start();
  const stations = Array.from({ length: 23 }, (_, number) => station(number));
  await observatory.putStations(...stations);
  const pages = await readChain(observatory, '/api/stations?limit=10');
  expect(pages.map(({ items }) => items.length)).toEqual([10, 10, 3]);
  expect(pages.flatMap(({ items }) => items)).toEqual(stations);
  expect(new Set(pages.map(({ page }) => page.event_cursor)).size).toBe(1);
  expect(pages[0]?.page.event_cursor).toMatch(/^1\.[\w-]{16}\.[\w-]+\.23\.[\w-]{8}$/);
});

test('the envelope is closed, and without events it has no event cursor', async () => {
  await using observatory = await Observatory.start();
  await observatory.store.apply([{ op: 'put', resource: 'notes', record: { id: 'a', text: 'b' } }]);
  expect(await observatory.get('/notes')).toEqual({
    items: [{ id: 'a', text: 'b' }],
    page: { next_cursor: null, has_more: false },
  });
  const empty = await observatory.get<Collection>('/api/stations');
  expect(empty).toEqual({
    items: [],
    page: { next_cursor: null, has_more: false, event_cursor: expect.stringMatching(/\.0$/) },
  });
});

test('a page has 50 records unless a limit says otherwise, and the limit may change along a chain', async () => {
  await using observatory = await Observatory.start();
  await observatory.putStations(...Array.from({ length: 60 }, (_, number) => station(number)));
  const first = await observatory.get<Collection>('/api/stations');
  expect(first.items).toHaveLength(50);
  const rest = await observatory.get<Collection>(`/api/stations?limit=3&cursor=${first.page.next_cursor}`);
  expect(rest.items.map(({ id }) => id)).toEqual(['station-0050', 'station-0051', 'station-0052']);
});

test('filter, sort and fields are applied, together and along the chain', async () => {
  await using observatory = await Observatory.start();
  const stations = Array.from({ length: 40 }, (_, number) => station(number));
  await observatory.putStations(...stations);
  const filter = encodeURIComponent(
    JSON.stringify({ '/region': { in: ['강원', '제주'] }, '/altitude': { gte: 100 } }),
  );
  const url = `/api/stations?filter=${filter}&sort=-/altitude,/name&fields=/id,/altitude&limit=7`;
  const pages = await readChain(observatory, url);
  const expected = stations
    .filter(({ region, altitude }) => region !== 'seoul' && (altitude as number) >= 100)
    .sort((a, b) => (b.altitude as number) - (a.altitude as number))
    .map(({ id, altitude }) => ({ id, altitude }));
  expect(expected.length).toBeGreaterThan(14);
  expect(pages.flatMap(({ items }) => items)).toEqual(expected);
});

test('a chain is one snapshot: what is written between its pages is not in it, and the event cursor stays', async () => {
  await using observatory = await Observatory.start();
  const stations = Array.from({ length: 12 }, (_, number) => station(number));
  await observatory.putStations(...stations);
  let round = 0;
  const pages = await readChain(observatory, '/api/stations?limit=5', async () => {
    round++;
    await observatory.putStations(station(11, { note: `changed ${round}` }), station(100 + round));
    await observatory.store.apply([{ op: 'delete', resource: 'stations', id: `station-000${round + 5}` }]);
  });
  expect(pages.flatMap(({ items }) => items)).toEqual(stations);
  expect(new Set(pages.map(({ page }) => page.event_cursor)).size).toBe(1);
  const now = await observatory.get<Collection>('/api/stations');
  expect(now.page.event_cursor).not.toBe(pages[0]?.page.event_cursor);
});

test('another representation is rendered from the record, with its own media type and its own validator', async () => {
  await using observatory = await Observatory.start();
  await observatory.putStations(station(1));
  const accept = 'application/json;q=0.5, application/vnd.observatory.summary+json';
  const response = await observatory.fetch('/api/stations', { headers: { accept } });
  expect(response.headers.get('content-type')).toBe('application/vnd.observatory.summary+json');
  expect(response.headers.get('vary')).toContain('Accept');
  expect(await response.json()).toMatchObject({ items: [{ id: 'station-0001', label: '관측소 1!' }] });
  const plain = await observatory.fetch('/api/stations');
  expect(plain.headers.get('content-type')).toBe('application/json');
  expect(plain.headers.get('etag')).not.toBe(response.headers.get('etag'));
  const projected = await observatory.get('/api/stations?fields=/label', { headers: { accept } });
  expect(projected).toMatchObject({ items: [{ label: '관측소 1!' }] });
});

test('a page in memory is given in no other representation than it was made for', async () => {
  const hits: (string | undefined)[] = [];
  await using observatory = await Observatory.start({
    app: { hooks: { onRequest: ({ pageCache }) => hits.push(pageCache) } },
  });
  await observatory.putStations(station(1));
  for (let count = 1; count <= 3; count += 1) {
    for (const accept of ['application/json', 'application/vnd.observatory.summary+json']) {
      const response = await observatory.fetch('/api/stations', { headers: { accept } });
      expect(response.headers.get('content-type')).toBe(accept);
      const { items } = (await response.json()) as Collection;
      expect('label' in (items[0] ?? {})).toBe(accept !== 'application/json');
    }
  }
  expect(hits.slice(-2)).toEqual(['hit', 'hit']);
});

test('a page is confirmed by 304 until the head moves, the principal changes or its cursor ages', async () => {
  await using observatory = await Observatory.start();
  await observatory.putStations(...Array.from({ length: 8 }, (_, number) => station(number)));
  const status = async (url: string, etag: string, token = observatory.token): Promise<number> =>
    (await observatory.fetch(url, { token, headers: { 'if-none-match': etag } })).status;
  const etagOf = async (url: string): Promise<string> =>
    (await observatory.fetch(url)).headers.get('etag') ?? '';
  const whole = await etagOf('/api/stations');
  const part = await etagOf('/api/stations?limit=5');
  expect(whole).toMatch(/^W\/"/);
  expect([await status('/api/stations', whole), await status('/api/stations?limit=5', part)]).toEqual([
    304, 304,
  ]);
  expect(await status('/api/stations', part)).toBe(200);
  expect(
    await status('/api/stations', whole, observatory.issueToken(undefined, { subject: 'another' })),
  ).toBe(200);
  observatory.clock.nowMs += 3_600_000;
  expect([await status('/api/stations', whole), await status('/api/stations?limit=5', part)]).toEqual([
    304, 200,
  ]);
  await observatory.putStations(station(9));
  expect(await status('/api/stations', whole)).toBe(200);
});

test('repeated queries come out of memory, and the authorisation is looked at each time', async () => {
  const hits: (string | undefined)[] = [];
  await using observatory = await Observatory.start({
    app: { hooks: { onRequest: ({ pageCache }) => hits.push(pageCache) } },
  });
  await observatory.putStations(...Array.from({ length: 8 }, (_, number) => station(number)));
  const first = await observatory.get<Collection>('/api/stations?limit=5');
  for (let i = 0; i < 3; i++)
    expect((await observatory.get<Collection>('/api/stations?limit=5')).items).toEqual(first.items);
  expect(hits).toEqual(['miss', 'miss', 'hit', 'hit']);
  const stranger = observatory.issueToken(['notes:read']);
  expect(await observatory.problem('/api/stations?limit=5', { token: stranger })).toMatchObject({
    slug: 'permission-denied',
  });
  expect(await observatory.problem('/api/stations?limit=5', { token: null })).toMatchObject({
    slug: 'authentication-required',
  });

  const other = observatory.issueToken(undefined, { subject: 'another' });
  const theirs = await observatory.get<Collection>('/api/stations?limit=5', { token: other });
  expect(theirs.items).toEqual(first.items);
  expect(theirs.page.event_cursor).not.toBe(first.page.event_cursor);
  const rest = await observatory.get<Collection>(`/api/stations?limit=5&cursor=${theirs.page.next_cursor}`, {
    token: other,
  });
  expect(rest.items).toHaveLength(3);

  await observatory.putStations(station(0, { note: 'changed' }));
  expect((await observatory.get<Collection>('/api/stations?limit=5')).items[0]).toMatchObject({
    note: 'changed',
  });
});

test('queries that are asked once fill a bounded part of the memory for pages, and a period of cursors leaves none behind', async () => {
  const seen: { pageCache: string | undefined; bytes: number }[] = [];
  await using observatory = await Observatory.start({
    app: {
      pageCacheMaxBytes: 64_000,
      hooks: {
        onRequest: ({ pageCache, pageCacheBytes = 0 }) => seen.push({ pageCache, bytes: pageCacheBytes }),
      },
    },
  });
  await observatory.putStations(station(1));
  for (let i = 0; i < 3; i += 1) await observatory.get('/api/stations?limit=5');
  const { bytes: ofOnePage = 0 } = seen.at(-1) ?? {};
  for (let limit = 6; limit < 40; limit += 1) await observatory.get(`/api/stations?limit=${limit}`);
  expect(seen.at(-1)?.bytes).toBeLessThanOrEqual(ofOnePage + 2_000);
  await observatory.get('/api/stations?limit=5');
  expect(seen.at(-1)?.pageCache).toBe('hit');

  observatory.clock.nowMs += CURSOR_PERIOD_MS;
  await observatory.get('/api/stations?limit=5');
  const { pageCache, bytes = 0 } = seen.at(-1) ?? {};
  expect(pageCache).toBe('miss');
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThan(ofOnePage);
});

test('a chain whose snapshot the retention has dropped ends with invalid-cursor', async () => {
  const clock = { nowMs: Date.UTC(2026, 7, 12) };
  await using observatory = await Observatory.start({
    store: { nowMs: () => clock.nowMs, retention: { maxAgeMs: 0, intervalMs: 0 } },
  });
  await observatory.putStations(...Array.from({ length: 8 }, (_, number) => station(number)));
  const first = await observatory.get<Collection>('/api/stations?limit=5');
  await observatory.putStations(station(6, { note: 'changed' }));
  clock.nowMs += 1;
  await observatory.store.prune();
  expect(await observatory.problem(`/api/stations?limit=5&cursor=${first.page.next_cursor}`)).toMatchObject({
    slug: 'invalid-cursor',
    detail: 'The cursor has expired: start again without it.',
  });
  expect((await observatory.get<Collection>('/api/stations')).items).toHaveLength(8);
});

test('a chain lives as long as its cursor where the retention is as long', async () => {
  const clock = { nowMs: Date.UTC(2026, 7, 12) };
  await using observatory = await Observatory.start({
    app: { clock: () => clock.nowMs },
    store: { nowMs: () => clock.nowMs, retention: { maxAgeMs: PAGE_CURSOR_LIFETIME_MS, intervalMs: 0 } },
  });
  await observatory.putStations(...Array.from({ length: 8 }, (_, number) => station(number)));
  const first = await observatory.get<Collection>('/api/stations?limit=5');
  await observatory.putStations(station(6, { note: 'changed' }));
  const next = `/api/stations?limit=5&cursor=${first.page.next_cursor}`;
  clock.nowMs += PAGE_CURSOR_LIFETIME_MS;
  await observatory.store.prune();
  const { items } = await observatory.get<Collection>(next);
  expect(items).toEqual([station(5), station(6), station(7)]);
  clock.nowMs += 1;
  await observatory.store.prune();
  expect(await observatory.problem(next)).toMatchObject({ detail: expect.stringContaining('has expired') });
});

test('a log that is pruned while a page is read gives the page of a newer snapshot, or 503 when it never ends', async () => {
  let prunings = 0;
  await using observatory = await Observatory.start({
    wrapSource: (source) => ({
      ...bindSource(source),
      page: async (query) => {
        prunings -= 1;
        if (prunings < 0) return source.page(query);
        await observatory.putStations(station(1, { note: `${prunings}` }));
        throw new PositionExpiredError('the log was pruned');
      },
    }),
  });
  await observatory.putStations(station(1), station(2));
  prunings = 2;
  const { items, page } = await observatory.get<Collection>('/api/stations');
  expect(items).toMatchObject([{ id: 'station-0001', note: '0' }, { id: 'station-0002' }]);
  expect(page.event_cursor).toMatch(/\.4\.[\w-]{8}$/);
  prunings = 100;
  expect(await observatory.problem('/api/stations?sort=name')).toMatchObject({ slug: 'invalid-sort' });
  expect(await observatory.problem('/api/stations?sort=/name')).toMatchObject({
    slug: 'service-unavailable',
  });
});

test('a first page is one call of the source, and so is a later one', async () => {
  const calls: string[] = [];
  await using observatory = await Observatory.start({
    wrapSource: (source) => ({
      ...bindSource(source),
      head: () => (calls.push('head'), source.head()),
      tagAt: (position) => (calls.push('tagAt'), source.tagAt(position)),
      page: (query) => (calls.push(`page at ${query.at}`), source.page(query)),
    }),
  });
  await observatory.putStations(...Array.from({ length: 8 }, (_, number) => station(number)));
  const first = await observatory.get<Collection>('/api/stations?limit=5');
  await observatory.get(`/api/stations?limit=5&cursor=${first.page.next_cursor}`);
  expect(calls).toEqual(['page at undefined', 'page at 8']);
});

test.each(['tag', 'epoch'] as const)(
  'a page in memory is not shown when the head has another %s',
  async (member) => {
    const hits: (string | undefined)[] = [];
    let other = {};
    await using observatory = await Observatory.start({
      app: { hooks: { onRequest: ({ pageCache }) => hits.push(pageCache) } },
      wrapSource: (source) => ({
        ...bindSource(source),
        head: async () => ({ ...(await source.head()), ...other }),
      }),
    });
    await observatory.putStations(station(1));
    for (let i = 0; i < 3; i += 1) await observatory.get('/api/stations');
    other = { [member]: 'another' };
    await observatory.get('/api/stations');
    expect(hits).toEqual(['miss', 'miss', 'hit', 'miss']);
  },
);

test('a chain ends with invalid-cursor when its log has begun another epoch, though the records are still there', async () => {
  let other = {};
  await using observatory = await Observatory.start({
    wrapSource: (source) => ({
      ...bindSource(source),
      page: async (query) => {
        const page = await source.page(query);
        return { ...page, head: { ...page.head, ...other } };
      },
    }),
  });
  await observatory.putStations(...Array.from({ length: 5 }, (_, number) => station(number)));
  const { page } = await observatory.get<Collection>('/api/stations?limit=2');
  const next = `/api/stations?limit=2&cursor=${page.next_cursor}`;
  expect((await observatory.fetch(next)).status).toBe(200);
  other = { epoch: 'another' };
  expect(await observatory.problem(next)).toMatchObject({ slug: 'invalid-cursor' });
});

test('requests for a page in memory that is out of date read it once together, and see what was written before them', async () => {
  let reads = 0;
  let gate = Promise.resolve();
  await using observatory = await Observatory.start({
    wrapSource: (source) => ({
      ...bindSource(source),
      page: async (query) => {
        reads += 1;
        const page = await source.page(query);
        await gate;
        return page;
      },
    }),
  });
  const note = async () =>
    (await observatory.get<{ items: { note: string }[] }>('/api/stations')).items[0]?.note;
  await observatory.putStations(station(1, { note: 'old' }));
  for (let i = 0; i < 3; i += 1) await note();
  const { promise, resolve } = Promise.withResolvers<void>();
  gate = promise;
  reads = 0;
  await observatory.putStations(station(1, { note: 'new' }));
  const early = Promise.all([note(), note(), note()]);
  await expect.poll(() => reads).toBe(1);
  await observatory.putStations(station(1, { note: 'newer' }));
  const late = note();
  await expect.poll(() => reads).toBe(2);
  resolve();
  expect(await early).toEqual(['new', 'new', 'new']);
  expect(await late).toBe('newer');
  expect(reads).toBe(2);
});

test('a page in memory that could not be read again is read with the next request', async () => {
  let isDown = false;
  await using observatory = await Observatory.start({
    wrapSource: (source) => ({
      ...bindSource(source),
      page: async (query) => {
        if (isDown) throw new SourceUnavailableError('down');
        return source.page(query);
      },
    }),
  });
  await observatory.putStations(station(1, { note: 'old' }));
  for (let count = 1; count <= 3; count += 1) await observatory.get('/api/stations');
  await observatory.putStations(station(1, { note: 'new' }));
  isDown = true;
  expect(await observatory.problem('/api/stations')).toMatchObject({ slug: 'service-unavailable' });
  isDown = false;
  expect(await observatory.get('/api/stations')).toMatchObject({ items: [{ note: 'new' }] });
});

test('equal requests get equal bytes from every server, for as long as the period of the cursors lasts', async () => {
  await using observatory = await Observatory.start();
  await using other = await Observatory.start({
    // Its own pages, over the records of the first.
    app: { pageCacheMaxBytes: 0 },
    wrapSource: (_, resource) => observatory.store.source(resource),
  });
  await observatory.putStations(...Array.from({ length: 8 }, (_, number) => station(number)));
  const periodEndMs = Math.ceil((observatory.clock.nowMs + 1) / CURSOR_PERIOD_MS) * CURSOR_PERIOD_MS;
  const ask = async (server: Observatory, path: string, nowMs: number) => {
    server.clock.nowMs = nowMs;
    const response = await server.fetch(path);
    return { etag: response.headers.get('etag'), text: await response.text() };
  };
  let path = '/api/stations?limit=3';
  for (const length of [3, 3, 2]) {
    const page = await ask(observatory, path, periodEndMs - CURSOR_PERIOD_MS);
    expect(await ask(other, path, periodEndMs - 1)).toEqual(page);
    const { items, page: at }: Collection = JSON.parse(page.text);
    expect(items).toHaveLength(length);
    if (at.next_cursor === null) break;
    expect((await ask(other, path, periodEndMs)).etag).not.toBe(page.etag);
    path = `/api/stations?limit=3&cursor=${at.next_cursor}`;
  }
});

test('a cursor lives for 15 minutes, and at most five minutes more', async () => {
  await using observatory = await Observatory.start();
  await observatory.putStations(...Array.from({ length: 8 }, (_, number) => station(number)));
  const periodEndMs = Math.ceil((observatory.clock.nowMs + 1) / CURSOR_PERIOD_MS) * CURSOR_PERIOD_MS;
  observatory.clock.nowMs = periodEndMs - 1;
  const { page } = await observatory.get<Collection>('/api/stations?limit=5');
  const next = `/api/stations?limit=5&cursor=${page.next_cursor}`;
  observatory.clock.nowMs += 900_000;
  expect((await observatory.get<Collection>(next)).items).toHaveLength(3);
  observatory.clock.nowMs += 1;
  expect(await observatory.problem(next)).toMatchObject({ slug: 'invalid-cursor' });
});

test('the event cursor is the position of the snapshot, whatever is asked of it', async () => {
  await using observatory = await Observatory.start();
  await observatory.putStations(...Array.from({ length: 8 }, (_, number) => station(number)));
  const filter = encodeURIComponent(JSON.stringify({ '/active': { eq: true } }));
  const queries = [
    '',
    '?limit=2',
    `?filter=${filter}`,
    '?sort=-/name',
    '?fields=/id',
    `?filter=${filter}&limit=1`,
  ];
  const cursors = await Promise.all(
    queries.map(async (query) => {
      const pages = await readChain(observatory, `/api/stations${query}`);
      return pages.map(({ page }) => page.event_cursor);
    }),
  );
  expect(new Set(cursors.flat()).size).toBe(1);
});

test('without a limit a page has no more records than the largest page may have', async () => {
  const implementation = defineObservatory();
  implementation.discovery.capabilities.max_page_size = 7;
  await using observatory = await Observatory.start({ implementation });
  await observatory.putStations(...Array.from({ length: 9 }, (_, number) => station(number)));
  expect((await observatory.get<Collection>('/api/stations')).items).toHaveLength(7);
  expect((await observatory.problem('/api/stations?limit=8')).slug).toBe('invalid-request');
});
