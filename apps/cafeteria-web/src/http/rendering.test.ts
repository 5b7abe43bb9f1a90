import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Rendering } from './rendering.ts';

const field = (fields: readonly string[], name: string): string | undefined =>
  fields[fields.indexOf(name) + 1];

test('both forms are the text, and say how long they are', async () => {
  const unit = fc.constantFrom('가', 'a', '<', '😀', '\u0000');
  const long = fc.string({ unit, minLength: 0, maxLength: 4000 });
  await fc.assert(
    fc.asyncProperty(long, fc.boolean(), async (text, keepPlain) => {
      const rendering = new Rendering(text, { Vary: 'Accept' }, '', keepPlain);
      const plain = await rendering.plain();
      const before = Buffer.isBuffer(plain) ? plain.toString('utf8') : undefined;
      expect(before).toBe(text);
      expect(rendering.length).toBe(Buffer.byteLength(text));
      expect(rendering.compressible).toBe(rendering.length >= 860);
      if (!rendering.compressible) return;
      await rendering.compressed();
      const form = rendering.ready(true);
      expect(gunzipSync(form?.body ?? '').toString('utf8')).toBe(text);
      expect(field(form?.fields ?? [], 'Content-Length')).toBe(String(form?.body.length));
      expect(field(form?.fields ?? [], 'Vary')).toBe('Accept, Accept-Encoding');
      expect(rendering.ready(false) !== undefined).toBe(keepPlain);
      const after = await rendering.plain();
      expect(Buffer.isBuffer(after) && after.toString('utf8')).toBe(text);
    }),
    { numRuns: 60 },
  );
});

test('many pages at once are each compressed to their own text', async () => {
  const texts = Array.from({ length: 40 }, (_, index) => `${index} 구내식당 `.repeat(50 + 97 * (index % 7)));
  const renderings = texts.map((text) => new Rendering(text, {}, ''));
  const compressed = await Promise.all(renderings.map((rendering) => rendering.compressed()));
  expect(compressed.map((bytes) => gunzipSync(bytes).toString('utf8'))).toEqual(texts);
  // Nothing but its own bytes is held by a page.
  expect(compressed.map(({ buffer, length }) => buffer.byteLength - length)).toEqual(texts.map(() => 0));
});

test('bytes are sent as they are', async () => {
  const image = new Rendering(Buffer.alloc(5000, 7), { 'Content-Type': 'image/png' }, '');
  expect(image.ready(true)?.body).toHaveLength(5000);
  expect(image.ready(true)?.fields).not.toContain('Content-Encoding');
});
