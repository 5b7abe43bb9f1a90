import { expect, test } from 'vitest';
import { deriveKeys } from './derive-keys.ts';

const SECRET = 'correct horse battery staple, and more of it';
const hex = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('hex');
const keysOf = (secret: string | Uint8Array) => {
  const { principalId, cursorKeys } = deriveKeys(secret);
  return {
    id: principalId('shared_token', 'me'),
    pages: hex(cursorKeys.pages.current.bytes),
    events: hex(cursorKeys.events),
  };
};

test('the keys of a secret stay what they are, since principal ids and cursors depend on them', () => {
  expect(keysOf(SECRET)).toMatchInlineSnapshot(`
    {
      "events": "e45aabcf67ff466159b487bc9d52412696d14fa226bc036390eb40ad4fbf9685",
      "id": "RxBkB1zvZn0GH5FBIz4N3phR",
      "pages": "446cf61b05a1950ef8e2ee286a7283e297f27560ae4b3556a4b0bf91e0942f8f",
    }
  `);
  expect(keysOf(new TextEncoder().encode(SECRET))).toEqual(keysOf(SECRET));
});

test('each purpose and each secret has keys of its own', () => {
  const one = keysOf(SECRET);
  const other = keysOf(`${SECRET}.`);
  expect(new Set([...Object.values(one), ...Object.values(other)]).size).toBe(6);
});

test.each([
  ['nothing', undefined],
  ['a text that is short', 'swordfish'],
  ['bytes that are few', new Uint8Array(31)],
  ['a number', 32],
])('%s is refused, without being shown', (_, secret) => {
  // @ts-expect-error a value that JavaScript callers may pass
  const derive = () => deriveKeys(secret);
  expect(derive).toThrow(expect.objectContaining({ code: 'invalid_options' }));
  expect(derive).toThrow(
    /^No keys can be derived: secret is missing or too short: use .* at least 32 random bytes\.$/,
  );
});
