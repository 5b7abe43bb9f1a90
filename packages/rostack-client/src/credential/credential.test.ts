import { expect, test } from 'vitest';
import { authorizationOf } from './credential.ts';

test('each method has its scheme', () => {
  expect(authorizationOf({ method: 'oauth2', token: 'a.b.c' })).toBe('Bearer a.b.c');
  expect(authorizationOf({ method: 'shared_token', token: 'abc' })).toBe('Rostack-Token abc');
});
