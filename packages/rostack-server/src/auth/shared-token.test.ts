import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSharedToken, parseSharedToken, verifierOf } from './shared-token.ts';

test('a new token has the documented form, is recognised, and its verifier tells nothing of it', () => {
  const { token, tokenId, verifier } = createSharedToken();
  expect(token).toMatch(/^rostack_[0-9A-Za-z]{11}_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$/);
  expect(parseSharedToken(token)).toBe(tokenId);
  expect(verifier.byteLength).toBe(32);
  expect(verifierOf(token)).toEqual(verifier);
  expect(Buffer.from(verifier).toString('latin1')).not.toContain(token);
});

test('tokens never repeat an id or a secret', () => {
  const tokens = Array.from({ length: 500 }, createSharedToken);
  expect(new Set(tokens.map(({ tokenId }) => tokenId)).size).toBe(500);
  expect(new Set(tokens.map(({ token }) => token.split('_')[2])).size).toBe(500);
});

test('a token with any character changed, or cut short, is not recognised', () => {
  const { token } = createSharedToken();
  fc.assert(
    fc.property(
      fc.nat(token.length - 1),
      fc.constantFrom('0', '9', 'A', 'Z', 'a', 'z', '_', '-', '.'),
      (at, character) => {
        fc.pre(token[at] !== character);
        expect(parseSharedToken(token.slice(0, at) + character + token.slice(at + 1))).toBeUndefined();
        expect(parseSharedToken(token.slice(0, at))).toBeUndefined();
      },
    ),
  );
});

/** Texts of any UTF-16 units: `string` of fast-check takes seconds to list all code points. */
const anyText = fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units));

test('arbitrary text is not recognised', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(parseSharedToken(text)).toBeUndefined();
    }),
  );
});
