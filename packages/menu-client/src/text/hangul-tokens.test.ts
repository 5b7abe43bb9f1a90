import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { HANGUL_TOKENS } from './hangul-tokens.ts';

test('the tokens that are Hangul are those of o200k', () => {
  for (const token of HANGUL_TOKENS) expect(countTokens(token), token).toBe(1);
  expect(HANGUL_TOKENS.size).toBeGreaterThan(2_000);
});
