import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shellQuote } from './curl-command.ts';

test('a shell reads back what was quoted', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 40 }).filter((value) => !value.includes('\0'));
  fc.assert(
    fc.property(text, (value) => {
      expect(execFileSync('sh', ['-c', `printf %s ${shellQuote(value)}`], { encoding: 'utf8' })).toBe(value);
    }),
    { numRuns: 50 },
  );
});
