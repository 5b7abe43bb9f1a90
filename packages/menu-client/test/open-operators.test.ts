import { openOperators, readOperatorEnvironment } from 'menu-client';
import { startSandbox } from 'menu-sandbox';
import { expect, test, vi } from 'vitest';

const ACCOUNT = { WELSTORY_USERNAME: 'me', WELSTORY_PASSWORD: 'hunter2hunter2' };

test.each([
  [{}, ['shinsegae']],
  [{ WELSTORY_USERNAME: '', WELSTORY_PASSWORD: '' }, ['shinsegae']],
  [ACCOUNT, ['welstory', 'shinsegae']],
])('%j opens %j', (environment, vendors) => {
  expect(openOperators(environment).map(({ vendor }) => vendor)).toEqual(vendors);
});

test('both operators are read at the addresses that the variables name', async () => {
  await using sandbox = await startSandbox();
  for (const operator of openOperators(sandbox.environment)) {
    await using opened = operator;
    const known = sandbox.restaurants.filter(({ vendor }) => vendor === opened.vendor);
    expect((await opened.restaurants()).value).toHaveLength(known.length);
  }
});

test('the device of WELSTORY_DEVICE_ID is the same in every process; without it the account has one', async () => {
  const deviceOf = async (environment: Readonly<Record<string, string>>) => {
    const fetch = vi.fn<typeof globalThis.fetch>(async () => new Response('', { status: 500 }));
    const [welstory] = openOperators(
      { ...ACCOUNT, ...environment },
      { fetch, retry: { maxAttempts: 1, baseDelayMs: 0, maxDelayMs: 0 } },
    );
    await using opened = welstory;
    await opened?.restaurants().catch(() => {});
    return new Headers(fetch.mock.calls[0]?.[1]?.headers).get('x-device-id');
  };
  const id = 'F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6';
  expect(await deviceOf({ WELSTORY_DEVICE_ID: id })).toBe(id);
  expect(await deviceOf({})).toMatch(/^[\da-f-]{36}$/);
  expect(await deviceOf({})).toBe(await deviceOf({}));
  expect(await deviceOf({ WELSTORY_USERNAME: 'somebody else' })).not.toBe(await deviceOf({}));
});

test.each([
  [{ WELSTORY_URL: 'http://127.0.0.1' }, 'WELSTORY_URL is now WELSTORY_BASE_URL.'],
  [{ PLANEAT_URL: 'http://127.0.0.1' }, 'PLANEAT_URL is now PLANEAT_BASE_URL.'],
  [{ MENU_STORE: 'memory:' }, 'MENU_STORE is now STORE_URL.'],
  [{ WELSTORY_BASE_URL: 'ftp://x' }, 'WELSTORY_BASE_URL must be an http or https URL.'],
  [{ PLANEAT_BASE_URL: 'x' }, 'PLANEAT_BASE_URL must be an http or https URL.'],
  [{ WELSTORY_USERNAME: 'u' }, /^Set both WELSTORY_USERNAME and WELSTORY_PASSWORD/],
  [{ WELSTORY_PASSWORD: 'hunter2hunter2' }, /^Set both(?!.*hunter2)/],
  [{ ...ACCOUNT, WELSTORY_DEVICE_ID: 'a\r\nb' }, /^WELSTORY_DEVICE_ID must be a UUID(?!.*hunter2)/],
])('%j is refused with what to write', (environment, message) => {
  expect(() => openOperators(environment)).toThrow(
    expect.objectContaining({ code: 'invalid_argument', message: expect.stringMatching(message) }),
  );
});

test('only what the operators need is read', () => {
  expect(readOperatorEnvironment({ ...ACCOUNT, PATH: '/bin', WELSTORY_DEVICE_ID: '' })).toEqual(ACCOUNT);
});
