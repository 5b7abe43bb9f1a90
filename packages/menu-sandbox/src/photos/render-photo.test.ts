import { decode } from 'fast-png';
import { expect, test } from 'vitest';
import { PHOTO_SIZES, renderPhoto } from './render-photo.ts';

test.each(['full', 'thumb'] as const)('%s photos are small PNGs of their size', (size) => {
  const bytes = renderPhoto('seed', 'lunch', size);
  const { width, height, channels } = decode(bytes);
  expect([width, height]).toEqual(PHOTO_SIZES[size]);
  expect(channels).toBe(3);
  expect(bytes.byteLength).toBeLessThan(60_000);
});

test('a photo is the same for the same seed and name, and another for another one', () => {
  expect(renderPhoto('seed', 'a', 'thumb')).toEqual(renderPhoto('seed', 'a', 'thumb'));
  expect(renderPhoto('seed', 'b', 'thumb')).not.toEqual(renderPhoto('seed', 'a', 'thumb'));
  expect(renderPhoto('other', 'a', 'thumb')).not.toEqual(renderPhoto('seed', 'a', 'thumb'));
});

test('a photo shows a plate with food on it, not one colour', () => {
  const { data } = decode(renderPhoto('seed', 'lunch', 'full'));
  const colors = new Set<number>();
  for (let offset = 0; offset < data.length; offset += 3)
    colors.add(((data[offset] ?? 0) << 16) | ((data[offset + 1] ?? 0) << 8) | (data[offset + 2] ?? 0));
  expect(colors.size).toBeGreaterThan(20);
});
