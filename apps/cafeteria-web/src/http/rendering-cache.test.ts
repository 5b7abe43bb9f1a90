import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NEVER_READ, Readings } from './readings.ts';
import { Rendering } from './rendering.ts';
import { RenderingCache } from './rendering-cache.ts';

const text = (name: string, length: number): string => `${name} `.repeat(Math.ceil(length / name.length));

test('weighs no more than it may, whatever is put into it', () => {
  const put = fc.record({
    key: fc.nat(50),
    length: fc.integer({ min: 1, max: 40_000 }),
    plain: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(put, { maxLength: 40 }), (puts) => {
      const cache = new RenderingCache(20_000);
      for (const { key, length, plain } of puts) {
        const rendering = new Rendering(text(String(key), length), {}, '', plain);
        const validity = { untilMs: 1, mark: NEVER_READ };
        cache.keep(String(key), { rendering, route: '/', validity });
        expect(cache.sizeBytes).toBeLessThanOrEqual(20_000);
      }
    }),
    { numRuns: 30 },
  );
});

test('shows a rendering until its time, and until something new is read of what it shows', () => {
  const cache = new RenderingCache(1e6);
  const readings = new Readings();
  const keep = (untilMs: number): void => {
    const validity = { untilMs, mark: readings.ofRestaurant('welstory', 'R1') };
    cache.get('a', 'v1', '/', validity, () => new Rendering('text', {}, 'v1'));
  };
  keep(1000);
  expect(cache.recent('a', 999)).toBeDefined();
  expect(cache.recent('a', 1000)).toBeUndefined();
  keep(2000);
  const day = { kind: 'day', date: '2026-11-20' } as const;
  readings.note({ ...day, vendor: 'shinsegae', restaurantId: 'R1' });
  readings.note({ ...day, vendor: 'welstory', restaurantId: 'R2' });
  expect(cache.recent('a', 1000)).toBeDefined();
  readings.note({ ...day, vendor: 'welstory', restaurantId: 'R1' });
  expect(cache.recent('a', 1000)).toBeUndefined();
  keep(2000);
  readings.note({ kind: 'restaurants', vendor: 'welstory' });
  expect(cache.recent('a', 1000)).toBeUndefined();
});

test('keeps the rendering of the same version and makes another one for a new version', () => {
  const cache = new RenderingCache(1e6);
  const get = (version: string): Rendering =>
    cache.get('a', version, '/', { untilMs: 1, mark: NEVER_READ }, () => new Rendering(version, {}, version));
  const first = get('v1');
  expect(get('v1')).toBe(first);
  expect(get('v2')).not.toBe(first);
});
