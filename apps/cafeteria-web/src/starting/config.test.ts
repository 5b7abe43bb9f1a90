import { expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { settingNotices } from './start-notices.ts';

test('without any setting: sample data on localhost:3000, kept in ./data', () => {
  expect(readConfig({})).toMatchObject({
    host: '127.0.0.1',
    port: 3000,
    dataDir: './data',
    upstream: { kind: 'sandbox' },
    storeUrl: 'sqlite:./data/sample-menus.db',
    prefetchIntervalMs: 60_000,
  });
});

test('live: menus have a database of their own; Welstory is left out without an account', () => {
  const live = readConfig({
    MENU_UPSTREAM: 'live',
    DATA_DIR: '/srv',
    PLANEAT_BASE_URL: 'http://127.0.0.1:1/v2/',
  });
  expect(live.storeUrl).toBe('sqlite:/srv/menus.db');
  expect(live.upstream).toEqual({
    kind: 'live',
    environment: { PLANEAT_BASE_URL: 'http://127.0.0.1:1/v2/' },
  });
  expect(
    readConfig({ MENU_UPSTREAM: 'live', WELSTORY_USERNAME: 'u', WELSTORY_PASSWORD: 'p' }).upstream,
  ).toMatchObject({
    environment: { WELSTORY_USERNAME: 'u', WELSTORY_PASSWORD: 'p' },
  });
});

test.each([
  [{ CAFETERIA_PORT: '70000' }, /^CAFETERIA_PORT must be a port number/],
  [{ CAFETERIA_PORT: 'x' }, /^CAFETERIA_PORT must be a port number/],
  [{ PUBLIC_URL: 'menu.example.org' }, /^PUBLIC_URL must be an http or https URL/],
  [{ PUBLIC_URL: 'https://menu.example.org/path' }, /^PUBLIC_URL must be scheme and host only/],
  [{ CAFETERIA_HOST: '0.0.0.0' }, /^Set PUBLIC_URL/],
  [{ MENU_UPSTREAM: 'real' }, /^MENU_UPSTREAM must be sandbox or live/],
  [{ MENU_UPSTREAM: 'live', WELSTORY_USERNAME: 'u' }, /^Set both WELSTORY_USERNAME and WELSTORY_PASSWORD/],
  [{ MENU_UPSTREAM: 'live', WELSTORY_URL: 'http://x' }, /^WELSTORY_URL is now WELSTORY_BASE_URL\.$/],
  [{ MENU_UPSTREAM: 'live', PLANEAT_BASE_URL: 'x' }, /^PLANEAT_BASE_URL must be an http or https URL\.$/],
  [{ STORE_URL: 'mysql://x' }, /^STORE_URL: Pass a store such as memory:, sqlite:<file> or postgres:/],
  [{ LOG_LEVEL: 'loud' }, /^LOG_LEVEL must be one of/],
  [{ CAFETERIA_PREFETCH_SECONDS: '-1' }, /^CAFETERIA_PREFETCH_SECONDS must be a number of seconds/],
  [{ CAFETERIA_TRUST_PROXY: '2' }, /^CAFETERIA_TRUST_PROXY must be addresses and networks/],
  [{ CAFETERIA_TRUST_PROXY: '127.0.0.1,proxy' }, /^CAFETERIA_TRUST_PROXY must be addresses and networks/],
  [{ CAFETERIA_PAGE_WAIT_MS: '9000' }, /^CAFETERIA_PAGE_WAIT_MS must be an integer from 0 to 8000/],
  [{ PHOTO_ORIGINS: 'http://a.example/x' }, /^PHOTO_ORIGINS must be scheme and host only/],
])('%j says what to write', (environment, message) => {
  expect(() => readConfig(environment)).toThrow(message);
});

test('a proxy on this machine is believed where the address is public, and those that are named', () => {
  const proxies = (environment: Record<string, string>) => readConfig(environment).trustedProxies;
  expect(proxies({})).toEqual([]);
  expect(proxies({ PUBLIC_URL: 'http://localhost:3000' })).toEqual([]);
  expect(proxies({ PUBLIC_URL: 'https://menu.example.org' })).toEqual(['127.0.0.0/8', '::1']);
  const PUBLIC_URL = 'https://menu.example.org';
  expect(proxies({ PUBLIC_URL, CAFETERIA_TRUST_PROXY: 'false' })).toEqual([]);
  expect(proxies({ PUBLIC_URL, CAFETERIA_TRUST_PROXY: '192.0.2.1, 2001:db8::/32' })).toEqual([
    '192.0.2.1',
    '2001:db8::/32',
  ]);
  expect(proxies({ CAFETERIA_TRUST_PROXY: 'true' })).toContain('10.0.0.0/8');
});

test('live without an account says who is left out; other names are nobody’s business', () => {
  const notices = (environment: Record<string, string>) =>
    settingNotices(environment, readConfig({ MENU_UPSTREAM: 'live', ...environment }));
  expect(notices({ PATH: '/bin', NODE_ENV: 'production', HOSTNAME: 'a' })).toEqual([
    'Samsung Welstory is left out: set WELSTORY_USERNAME and WELSTORY_PASSWORD for its restaurants.',
  ]);
  expect(notices({ WELSTORY_USERNAME: 'u', WELSTORY_PASSWORD: 'p', STORE_ULR: 'x' })).toEqual([
    'STORE_ULR is not a setting: did you mean STORE_URL?',
  ]);
});

test('a setting without its beginning or its end is told, and blank credentials are none', () => {
  const environment = {
    TRUST_PROXY: 'true',
    PORT: '80',
    WELSTORY_USER: 'u',
    HOST: 'h',
    USERNAME: 'n',
    PASSWORD: 'p',
  };
  const blank = { MENU_UPSTREAM: 'live', WELSTORY_USERNAME: ' ', WELSTORY_PASSWORD: '\t' };
  expect(settingNotices(environment, readConfig(blank))).toEqual([
    'Samsung Welstory is left out: set WELSTORY_USERNAME and WELSTORY_PASSWORD for its restaurants.',
    'TRUST_PROXY is not a setting: did you mean CAFETERIA_TRUST_PROXY?',
    'PORT is not a setting: did you mean CAFETERIA_PORT?',
    'WELSTORY_USER is not a setting: did you mean WELSTORY_USERNAME?',
  ]);
});

test('a setting with a word too few or too many is told', () => {
  const environment = {
    KAKAO_SECRET: 'k',
    SLACK_SECRET: 's',
    OPERATOR_TIMEOUT: '5',
    CAFETERIA_PUBLIC_URL: 'u',
    CAFETERIA_STORE_URL: 'u',
    CAFETERIA_PER_MINUTE: '5',
    SLACK_TOKEN: 't',
    DEVICE_ID: 'd',
    BASE_URL: 'b',
    MENU: 'm',
  };
  expect(settingNotices(environment, readConfig({})).slice(1)).toEqual([
    'KAKAO_SECRET is not a setting: did you mean KAKAO_SKILL_SECRET?',
    'SLACK_SECRET is not a setting: did you mean SLACK_SIGNING_SECRET?',
    'OPERATOR_TIMEOUT is not a setting: did you mean OPERATOR_TIMEOUT_MS?',
    'CAFETERIA_PUBLIC_URL is not a setting: did you mean PUBLIC_URL?',
    'CAFETERIA_STORE_URL is not a setting: did you mean STORE_URL?',
    'CAFETERIA_PER_MINUTE is not a setting: nothing reads it.',
  ]);
});

test('no message repeats a secret', () => {
  const secret = 'hunter2hunter2';
  expect(() => readConfig({ MENU_UPSTREAM: 'live', WELSTORY_PASSWORD: secret })).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining(secret) }),
  );
});
