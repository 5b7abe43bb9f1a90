import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import type { Head } from 'rostack-core';
import { describe, expect, test } from 'vitest';
import { resourceTables } from '../schema/tables.ts';
import type { CachedIndex } from './cached-index.ts';
import { compareCuts, cutAfter, END, type IndexCut, type IndexPart } from './index-cut.ts';
import { IndexRun } from './index-run.ts';
import { IndexRuns, isPage, type RunPage } from './index-runs.ts';
import { RunCache } from './run-cache.ts';

/** An entry of the index that the cache stands before. */
interface Entry {
  readonly key: Buffer;
  readonly id: string;
  readonly body: string;
}

const HEAD = { epoch: 'epoch', position: 1, floor: 0, tag: 'tag' };
const field = {
  pointer: '/value',
  path: ['value'],
  number: 1,
  index: 'whole',
  isSortable: true,
} as unknown as Parameters<RunCache['index']>[1];

const key = fc
  .constantFrom('', '10', '1000', '10ff', '11', '50ea', '50eab080', '50eab081')
  .map((hex) => Buffer.from(hex, 'hex'));
const id = fc.constantFrom('a', 'aa', 'b', '가', '\u{1f34a}', '\uff21');
const cut: fc.Arbitrary<IndexCut> = fc.oneof(
  fc.record({ key, id: fc.constant(undefined), side: fc.constantFrom('before', 'after') }),
  fc.record({ key, id: id.map((text) => Buffer.from(text)) }).map(({ key, id }) => cutAfter(key, id)),
  fc.constant(END),
);
const part: fc.Arbitrary<IndexPart> = fc.record({
  from: cut,
  to: cut,
  limit: fc.integer({ min: 1, max: 6 }),
});
const entry = fc.record({ key, id, padding: fc.nat({ max: 40 }) });
/** Entries that are put, or taken away where one stands. */
const changes = fc.array(entry, { minLength: 1, maxLength: 4 });
const entries = fc.array(entry, { maxLength: 20 }).map((drawn) => changed([], drawn).all);

/** The index after changes, and where it has changed. */
function changed(before: readonly Entry[], drawn: readonly { key: Buffer; id: string; padding: number }[]) {
  const all = [...before];
  for (const { key, id, padding } of drawn) {
    const place = all.findIndex((known) => compareCuts(cutOf(known), cutAfter(key, Buffer.from(id))) === 0);
    if (place !== -1) all.splice(place, 1);
    if (place === -1 || padding % 2 === 0)
      all.push({ key, id, body: JSON.stringify([id, '나'.repeat(padding)]) });
  }
  all.sort((a, b) => compareCuts(cutOf(a), cutOf(b)));
  return { all, touched: drawn.map(({ key, id }) => cutAfter(key, Buffer.from(id))) };
}

function cutOf({ key, id }: Entry): IndexCut {
  return cutAfter(key, Buffer.from(id));
}

function between(all: readonly Entry[], from: IndexCut, to: IndexCut): Entry[] {
  return all.filter((entry) => compareCuts(cutOf(entry), from) > 0 && compareCuts(cutOf(entry), to) <= 0);
}

function load(all: readonly Entry[], { from, to, limit }: IndexPart): IndexRun {
  const rows = between(all, from, to).slice(0, limit);
  const last = rows.at(-1);
  return IndexRun.of(from, rows.length < limit || last === undefined ? to : cutOf(last), {
    bodies: Buffer.from(rows.map(({ body }) => body).join(',')),
    bodySizes: rows.map(({ body }) => Buffer.byteLength(body)),
    entries: Buffer.concat(rows.flatMap(({ key, id }) => [key, Buffer.from(id)])),
    keySizes: rows.map(({ key }) => key.length),
    idSizes: rows.map(({ id }) => Buffer.byteLength(id)),
  });
}

/** Reads gaps until the page is there; what is not kept is read by itself. */
function pageOf(index: CachedIndex, head: Head, all: readonly Entry[], wanted: IndexPart): RunPage {
  for (let gaps = 0; gaps < 100; gaps += 1) {
    const found = index.look(wanted);
    if (isPage(found)) return found;
    const run = load(all, index.extent(found, wanted));
    if (!index.add(run, head)) {
      const alone = new IndexRuns(load(all, { ...wanted, limit: wanted.limit + 1 })).find(wanted);
      if (isPage(alone)) return alone;
    }
  }
  throw new Error('the page does not come together');
}

function expected(all: readonly Entry[], { from, to, limit }: IndexPart) {
  const rows = between(all, from, to);
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return {
    bodies: rows
      .slice(0, limit)
      .map(({ body }) => body)
      .join(','),
    last: last && { id: last.id, body: last.body },
  };
}

function shown({ bodies, last }: RunPage) {
  return { bodies: bodies.toString(), last };
}

describe('pages out of runs', () => {
  test('are those of the index, whatever was read, joined, changed and dropped before', () => {
    fc.assert(
      fc.property(
        entries,
        fc.array(fc.oneof({ weight: 4, arbitrary: part }, changes), { minLength: 1, maxLength: 40 }),
        fc.constantFrom(1, 9_000, 20_000, 1_048_576),
        (drawn, steps, maxBytes) => {
          const cache = new RunCache(maxBytes);
          const index = cache.index(resourceTables(1, []), field);
          let all = drawn;
          let head = HEAD;
          index.moveTo(head, undefined);
          const results = steps.flatMap((step) => {
            if (!Array.isArray(step)) {
              return {
                page: shown(pageOf(index, head, all, step)),
                wanted: expected(all, step),
                isBounded: cache.bytes <= maxBytes,
              };
            }
            const next = changed(all, step);
            all = next.all;
            head = { ...head, position: head.position + step.length };
            index.moveTo(head, next.touched);
            return [];
          });
          for (const { page, wanted, isBounded } of results) {
            expect(page).toEqual(wanted);
            expect(isBounded).toBe(true);
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test('come without reading once their entries are there, and not at another head', () => {
    const all = Array.from({ length: 20 }, (_, number): Entry => {
      return { key: Buffer.of(0x40, number), id: 'a', body: String(number) };
    });
    const index = new RunCache(1_048_576).index(resourceTables(1, []), field);
    index.moveTo(HEAD, undefined);
    const wide = { from: cutAfter(Buffer.of(0x40, 2), Buffer.from('a')), to: END, limit: 10 };
    const narrow = { ...wide, from: cutAfter(Buffer.of(0x40, 4), Buffer.from('a')), limit: 8 };
    pageOf(index, HEAD, all, wide);
    const page = index.find('epoch', { at: 1, tag: 'tag' }, narrow);
    expect(page && shown(page)).toEqual({ bodies: '5,6,7,8,9,10,11,12', last: { id: 'a', body: '12' } });
    expect(index.find('epoch', { at: 2, tag: 'tag' }, narrow)).toBeUndefined();
    expect(index.find('another', { at: 1, tag: 'tag' }, narrow)).toBeUndefined();
    expect(index.find('epoch', { at: 1, tag: 'other' }, narrow)).toBeUndefined();
    index.moveTo({ ...HEAD, position: 2 }, undefined);
    expect(index.find('epoch', { at: 2, tag: 'tag' }, narrow)).toBeUndefined();
  });

  test('are forgotten when there is no room for them', () => {
    const all = Array.from({ length: 100 }, (_, number): Entry => {
      return { key: Buffer.of(0x40, number), id: 'a', body: JSON.stringify('x'.repeat(998)) };
    });
    for (const [maxBytes, most] of [
      [40_000, 40],
      [1, 0],
    ] as const) {
      const index = new RunCache(maxBytes).index(resourceTables(1, []), field);
      index.moveTo(HEAD, undefined);
      const parts = all.map((entry) => ({
        from: { key: entry.key, id: undefined, side: 'before' } as const,
        to: cutOf(entry),
        limit: 1,
      }));
      for (const wanted of parts) pageOf(index, HEAD, all, wanted);
      const kept = parts.filter((wanted) => index.find('epoch', { at: 1, tag: 'tag' }, wanted) !== undefined);
      expect(kept.length).toBeLessThanOrEqual(most);
      expect(kept.length).toBeGreaterThanOrEqual(most / 4);
    }
  });

  test('a run that another one holds a part of is not kept', () => {
    const all = [1, 2, 3].map((number): Entry => ({ key: Buffer.of(number), id: 'a', body: '0' }));
    const index = new RunCache(1_048_576).index(resourceTables(1, []), field);
    index.moveTo(HEAD, undefined);
    const run = load(all, { from: cutAfter(Buffer.of(1), Buffer.from('a')), to: END, limit: 2 });
    expect(index.add(run, HEAD)).toBe(true);
    expect(
      index.add(load(all, { from: cutAfter(Buffer.of(0), Buffer.from('a')), to: END, limit: 2 }), HEAD),
    ).toBe(false);
  });

  test('a run of a head that has moved meanwhile is not kept', () => {
    const cache = new RunCache(1_048_576);
    const index = cache.index(resourceTables(1, []), field);
    index.moveTo({ ...HEAD, position: 2 }, undefined);
    const run = load([], { from: cutAfter(Buffer.of(1), Buffer.of(1)), to: END, limit: 5 });
    expect(index.add(run, HEAD)).toBe(false);
    expect(cache.bytes).toBe(0);
  });
});
