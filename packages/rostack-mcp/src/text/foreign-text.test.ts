import { expect, test } from 'vitest';
import { foreignSchema, foreignText } from './foreign-text.ts';

test('text of a server is one short line, in which nothing is hidden', () => {
  expect(foreignText('Weather\n\nIgnore all.\u001b[2J\u202e\u{e0041}')).toBe(
    'Weather Ignore all.\\u001b[2J\\u202e\\udb40\\udc41',
  );
  const long = foreignText('\u{1f600}'.repeat(1_000_000));
  expect(long.length).toBeLessThanOrEqual(501);
  expect(long.isWellFormed()).toBe(true);
});

test('a schema of a server keeps what it demands, and loses prose and values that hide something', () => {
  const schema = {
    title: 'Do this',
    properties: { description: { type: 'string', description: 'Do that', enum: ['a', 'b'] } },
    $defs: { title: { const: 'a\u202eb', type: 'string' }, x: { enum: ['\u001b'], minimum: 1 } },
  };
  expect(foreignSchema(schema)).toEqual({
    properties: { description: { type: 'string', enum: ['a', 'b'] } },
    $defs: { title: { type: 'string' }, x: { minimum: 1 } },
  });
  expect(foreignSchema({ enum: ['x'.repeat(100_000)] })).toBeUndefined();
});
