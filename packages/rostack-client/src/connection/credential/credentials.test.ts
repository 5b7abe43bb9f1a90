import { describe, expect, test } from 'vitest';
import { authorizationOf, type CredentialReason, CredentialSource } from './credentials.ts';

const { signal } = new AbortController();
const credential = (token: string) => ({ method: 'shared_token', token }) as const;

describe('a credential source', () => {
  test('asks once for all who wait, and only when it has none', async () => {
    const reasons: CredentialReason[] = [];
    const source = new CredentialSource(async ({ reason }) => {
      reasons.push(reason);
      return credential(`t${reasons.length}`);
    }, signal);
    const first = await Promise.all([source.current(), source.current()]);
    expect(first).toEqual([credential('t1'), credential('t1')]);
    const renewed = await Promise.all([
      source.renew(credential('t1'), 'refused'),
      source.renew(credential('t1'), 'expiring'),
    ]);
    expect(renewed).toEqual([credential('t2'), credential('t2')]);
    expect(reasons).toEqual(['initial', 'refused']);
  });

  test('gives the present one to who still has the one before', async () => {
    let count = 0;
    const source = new CredentialSource(() => credential(`t${++count}`), signal);
    await source.renew(await source.current(), 'expiring');
    expect(await source.renew(credential('t1'), 'refused')).toEqual(credential('t2'));
    expect(count).toBe(2);
  });

  test('a callback that fails is asked again the next time; its error is the cause', async () => {
    let count = 0;
    const source = new CredentialSource(() => {
      count += 1;
      if (count === 1) throw new Error('no network');
      return credential('t');
    }, signal);
    await expect(source.current()).rejects.toMatchObject({
      code: 'credentials_unavailable',
      retryable: true,
      cause: new Error('no network'),
    });
    expect(await source.current()).toEqual(credential('t'));
  });

  test.for(['', 'a b', 'a\r\nb', 'ㄱ', 'x'.repeat(16_385)])(
    'refuses the token %j without repeating it',
    async (token) => {
      const source = new CredentialSource(() => credential(token), signal);
      await expect(source.current()).rejects.toMatchObject({
        code: 'invalid_options',
        message: 'a token is 1 to 16,384 visible ASCII characters',
      });
    },
  );
});

test('each method has its scheme', () => {
  expect(authorizationOf({ method: 'oauth2', token: 'a.b.c' })).toBe('Bearer a.b.c');
  expect(authorizationOf({ method: 'shared_token', token: 'abc' })).toBe('Rostack-Token abc');
});
