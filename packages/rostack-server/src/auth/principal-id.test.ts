import { expect, test } from 'vitest';
import { createPrincipalIdDeriver } from './principal-id.ts';

test('each identity has an id of its own, wherever its parts end, and the same one each time', () => {
  const idOf = createPrincipalIdDeriver(new Uint8Array(32).fill(7));
  const identities = [
    ['a b', 'c'],
    ['a', 'b c'],
    ['a', 'b', 'c'],
    ['a,b', 'c'],
    ['a', 'b,c'],
    ['a\nb', 'c'],
    ['a', 'b\nc'],
    ['ab', 'c'],
    ['a', 'bc'],
    ['abc'],
    ['abc', ''],
  ];
  const ids = identities.flatMap((identity) => [
    idOf('oauth2', ...identity),
    idOf('shared_token', ...identity),
  ]);
  expect(new Set(ids).size).toBe(2 * identities.length);
  for (const id of ids) expect(id).toMatch(/^[\w-]{24}$/);
  expect(idOf('oauth2', 'a b', 'c')).toBe(ids[0]);
  const other = createPrincipalIdDeriver(new Uint8Array(32).fill(8));
  expect(ids).not.toContain(other('oauth2', 'a b', 'c'));
});
