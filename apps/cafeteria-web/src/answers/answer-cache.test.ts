import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AnswerCache } from './answer-cache.ts';
import { Readings } from './readings.ts';
import { Rendering } from './rendering.ts';

const text = (name: string, length: number): string => `${name} `.repeat(Math.ceil(length / name.length));

/** 11:30 in Seoul: the meal stays the same for the next minutes. */
const START_MS = Date.parse('2026-11-20T02:30:00Z');
const ASKED = { method: 'GET', headers: { host: 'menu.example.org' } };
const originOf = () => 'https://menu.example.org';

test('weighs no more than it may, with any content', () => {
  const put = fc.record({
    key: fc.nat(50),
    length: fc.integer({ min: 1, max: 40_000 }),
    plain: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(put, { maxLength: 40 }), (puts) => {
      const cache = new AnswerCache(20_000, () => START_MS, originOf);
      for (const { key, length, plain } of puts) {
        const make = () => new Rendering(text(String(key), length), {}, plain);
        cache.keep(ASKED, { target: `/${key}`, route: '/' }, make);
        expect(cache.sizeBytes).toBeLessThanOrEqual(20_000);
      }
    }),
    { numRuns: 30 },
  );
});

test('answers until its time, and until something new is read of what it shows', () => {
  let nowMs = START_MS;
  const cache = new AnswerCache(1e6, () => nowMs, originOf);
  const readings = new Readings();
  const keep = (maxAgeMs: number): void => {
    const unchanged = readings.ofRestaurant('welstory', 'R1');
    const keeping = { target: '/a', route: '/', version: 'v1', unchanged, maxAgeMs };
    cache.keep(ASKED, keeping, () => new Rendering('text', {}));
  };
  keep(1000);
  nowMs = START_MS + 999;
  expect(cache.find(ASKED, '/a')).toBeDefined();
  nowMs = START_MS + 1000;
  expect(cache.find(ASKED, '/a')).toBeUndefined();
  keep(2000);
  const day = { kind: 'day', date: '2026-11-20' } as const;
  readings.note({ ...day, vendor: 'shinsegae', restaurantId: 'R1' });
  readings.note({ ...day, vendor: 'welstory', restaurantId: 'R2' });
  expect(cache.find(ASKED, '/a')).toBeDefined();
  readings.note({ ...day, vendor: 'welstory', restaurantId: 'R1' });
  expect(cache.find(ASKED, '/a')).toBeUndefined();
  keep(2000);
  readings.note({ kind: 'restaurants', vendor: 'welstory' });
  expect(cache.find(ASKED, '/a')).toBeUndefined();
});

test('keeps the rendering of the same version and makes another one for a new version', () => {
  const cache = new AnswerCache(1e6, () => START_MS, originOf);
  const keep = (version?: string): Rendering => {
    const keeping = { target: '/a', route: '/', ...(version !== undefined && { version }) };
    return cache.keep(ASKED, keeping, () => new Rendering('text', {}));
  };
  const first = keep('v1');
  expect(keep('v1')).toBe(first);
  expect(keep('v2')).not.toBe(first);
  expect(keep()).not.toBe(keep());
});

test('what is kept only if it is asked for again: neither the first request nor thousands of others fill the cache', () => {
  const cache = new AnswerCache(1e6, () => START_MS, originOf);
  const ask = (target: string): void => {
    const keeping = { target, route: '/', onlyIfAskedAgain: true };
    cache.keep(ASKED, keeping, () => new Rendering(target, {}));
  };
  ask('/?q=a');
  expect(cache.find(ASKED, '/?q=a')).toBeUndefined();
  expect(cache.sizeBytes).toBe(0);
  ask('/?q=a');
  expect(cache.find(ASKED, '/?q=a')?.rendering.plain()).toBe('/?q=a');
  for (let number = 0; number < 5_000; number += 1) ask(`/?q=${number}`);
  expect(cache.sizeBytes).toBeLessThan(2_000);
  ask('/?q=2500');
  expect(cache.find(ASKED, '/?q=2500')).toBeDefined();
  // Its name is forgotten by now.
  ask('/?q=0');
  expect(cache.find(ASKED, '/?q=0')).toBeUndefined();
  ask('/?q=4999');
  expect(cache.find(ASKED, '/?q=4999')).toBeDefined();
});

test('what varies is found in the form, the language and the origin that it was made for', () => {
  const cache = new AnswerCache(
    1e6,
    () => START_MS,
    (host) => `http://${host}`,
  );
  const asked = (headers: Record<string, string>) => ({ method: 'GET', headers: { host: 'a', ...headers } });
  const keep = (target: string, headers: Record<string, string>) =>
    cache.keep(asked({}), { target, route: '/' }, () => new Rendering('', headers));
  keep('/feed', {});
  keep('/page', { Vary: 'Accept, Accept-Language' });
  keep('/home', { Vary: 'Accept, Accept-Language, Cookie' });
  const found = (headers: Record<string, string>) =>
    ['/feed', '/page', '/home'].filter((target) => cache.find(asked(headers), target) !== undefined);
  expect(found({})).toEqual(['/feed', '/page', '/home']);
  expect(found({ cookie: 'my=welstory.R1' })).toEqual(['/feed', '/page']);
  expect(found({ accept: 'text/markdown' })).toEqual(['/feed']);
  expect(found({ 'accept-language': 'en' })).toEqual(['/feed']);
  expect(found({ host: 'b' })).toEqual([]);
  expect(found({ host: 'no host' })).toEqual([]);
  expect(cache.find({ ...asked({}), method: 'POST' }, '/feed')).toBeUndefined();
});
