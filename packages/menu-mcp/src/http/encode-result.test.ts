import { assert, jsonValue, maxSafeInteger, oneof, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { encodeResult } from './encode-result.ts';

test('an answer is read back as it was, the second time too', () => {
  assert(
    property(oneof(string(), maxSafeInteger()), jsonValue(), (id, value) => {
      const result = { value };
      const text = encodeResult(id, result).toString();
      expect(JSON.parse(text)).toEqual({
        jsonrpc: '2.0',
        id,
        result: JSON.parse(JSON.stringify(result)) as unknown,
      });
      expect(encodeResult(id, result).toString()).toBe(text);
    }),
  );
});

test('a result that is used again is written under the id of each request', () => {
  const result = { content: [] };
  for (const id of [1, 'a', 2])
    expect(JSON.parse(encodeResult(id, result).toString())).toEqual({ jsonrpc: '2.0', id, result });
});
