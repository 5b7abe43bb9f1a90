import type { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Rendering } from './rendering.ts';
import { answerWith } from './respond.ts';

const field = (fields: readonly string[], name: string): string | undefined =>
  fields[fields.indexOf(name) + 1];

async function bytesOf(body: string | Buffer | Readable | undefined): Promise<Buffer> {
  if (typeof body === 'string') return Buffer.from(body);
  return Buffer.isBuffer(body) ? body : Buffer.concat(await (body?.toArray() ?? []));
}

test('both forms are the text, and say how long they are', async () => {
  const unit = fc.constantFrom('가', 'a', '<', '😀', '\u0000');
  const long = fc.string({ unit, minLength: 0, maxLength: 4000 });
  await fc.assert(
    fc.asyncProperty(long, fc.boolean(), async (text, keepPlain) => {
      const rendering = new Rendering(text, { Vary: 'Accept' }, keepPlain);
      const gzip = { method: 'GET', headers: { 'accept-encoding': 'gzip' } };
      const plain = await answerWith(rendering, { method: 'GET', headers: {} });
      expect((await bytesOf(plain.body)).toString('utf8')).toBe(text);
      expect(field(plain.fields, 'Content-Length')).toBe(String(Buffer.byteLength(text)));
      expect(rendering.length).toBe(Buffer.byteLength(text));
      expect(rendering.compressible).toBe(rendering.length >= 860);
      if (!rendering.compressible) return;
      const form = await answerWith(rendering, gzip);
      const compressed = await bytesOf(form.body);
      expect(gunzipSync(compressed).toString('utf8')).toBe(text);
      expect(field(form.fields, 'Content-Length')).toBe(String(compressed.length));
      expect(field(form.fields, 'Content-Encoding')).toBe('gzip');
      expect(field(form.fields, 'Vary')).toBe('Accept, Accept-Encoding');
      const after = rendering.plain();
      expect(typeof after === 'string').toBe(keepPlain);
      expect((await bytesOf(after)).toString('utf8')).toBe(text);
    }),
    { numRuns: 60 },
  );
});

test('many pages at once are each compressed to their own text', async () => {
  const texts = Array.from({ length: 40 }, (_, index) => `${index} 구내식당 `.repeat(50 + 97 * (index % 7)));
  const renderings = texts.map((text) => new Rendering(text, {}));
  const compressed = await Promise.all(renderings.map((rendering) => rendering.compressed()));
  expect(compressed.map((bytes) => gunzipSync(bytes).toString('utf8'))).toEqual(texts);
  // Nothing but its own bytes is held by a page.
  expect(compressed.map(({ buffer, length }) => buffer.byteLength - length)).toEqual(texts.map(() => 0));
});

test('bytes are sent as they are', async () => {
  const image = new Rendering(Buffer.alloc(5000, 7), { 'Content-Type': 'image/png' });
  const { body, fields } = await answerWith(image, { method: 'GET', headers: { 'accept-encoding': 'gzip' } });
  expect(body).toHaveLength(5000);
  expect(fields).not.toContain('Content-Encoding');
});
