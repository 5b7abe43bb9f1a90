import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startOfLastObject } from './read-page.ts';

const texts = fc.string({ unit: fc.constantFrom('"', '\\', '{', '}', ',', 'x', '관') });
const objects = fc.dictionary(texts, fc.jsonValue({ stringUnit: fc.constantFrom('"', '\\', '{', '}', 'y') }));

test('the last of several objects begins where it was joined', () => {
  fc.assert(
    fc.property(fc.array(objects, { minLength: 1 }), (all) => {
      const bodies = all.map((each) => JSON.stringify(each));
      const bytes = Buffer.from(bodies.join(','));
      const last = Buffer.byteLength(bodies.at(-1) ?? '');
      expect(startOfLastObject(bytes, bytes.byteLength)).toBe(bytes.byteLength - last);
    }),
  );
});

test('what ends in no object is refused', () => {
  expect(() => startOfLastObject(Buffer.from('"{}"'), 4)).toThrow('no JSON object ends there');
});
