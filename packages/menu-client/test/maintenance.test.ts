import { planeatOperator } from 'menu-client';
import { describe, expect, test } from 'vitest';
import { fixture } from './fixture.ts';
import { type Answer, json, manualClock, scriptedOperator, token } from './scripted-operator.ts';
import { LUNCH, loginWith, MEAL, readDay, setup } from './welstory-setup.ts';

const MINUTE = 60_000;
const DAY_MS = 24 * 60 * MINUTE;

const page = (status: number): Response =>
  new Response('<!doctype html><title>시스템 점검</title><p>점검 중입니다.</p>', {
    status,
    headers: { 'content-type': 'text/html' },
  });

const NOTICES: readonly (readonly [string, () => Response])[] = [
  ['a page with 200', () => page(200)],
  ['a page with 503', () => page(503)],
  ['JSON without data', () => json('{"code":9999,"message":"시스템 점검 중입니다."}')],
  ['JSON with null', () => json('{"code":9999,"message":"The system is under maintenance","data":null}')],
  // `점검 중` in EUC-KR.
  ['an old page', () => new Response(Buffer.from('<p>\xc1\xa1\xb0\xcb \xc1\xdf</p>', 'latin1'))],
  ['plain text', () => new Response('서비스 점검 중입니다.')],
];

describe.each(NOTICES)('maintenance that is told by %s', (_how, notice) => {
  const working = (): readonly Answer[] => [() => (down ? notice() : json(MEAL))];
  let down = true;

  test('in answer to the login is no refusal: no login is made while it lasts, and one afterwards', async () => {
    down = true;
    const { operator, clock, paths } = setup((now) => ({
      '/login': [() => (down ? notice() : loginOf(token(now, 'later', DAY_MS)))],
      '/session': [() => (down ? notice() : new Response('', { status: 401 }))],
      '/api/meal': working(),
    }));
    await using closing = operator;
    for (let minutes = 0; minutes < 360; minutes += 1) {
      expect(await readDay(closing)).toBe('operator_maintenance');
      clock.advance(MINUTE);
    }
    expect(await closing.refusal?.()).toBeUndefined();
    const logins = () => paths().filter((path) => path === '/login').length;
    expect(logins()).toBe(1);
    expect(paths().length).toBeLessThan(100);
    down = false;
    clock.advance(5 * MINUTE);
    expect(await readDay(closing)).toBe('2 menus');
    expect(logins()).toBe(2);
  });

  test('of the login alone makes a handful of logins', async () => {
    const { operator, clock, paths } = setup(() => ({
      '/login': [notice],
      '/session': [new Response('', { status: 401 })],
    }));
    await using closing = operator;
    for (let minutes = 0; minutes < 360; minutes += 1) {
      expect(await readDay(closing)).toBe('operator_maintenance');
      clock.advance(MINUTE);
    }
    expect(paths().filter((path) => path === '/login').length).toBeLessThanOrEqual(9);
  });

  test('under a session that worked pauses everything, and the session goes on afterwards', async () => {
    down = false;
    const { operator, clock, paths } = setup((now) => ({
      '/login': [loginWith(token(now, 'a day', DAY_MS))],
      '/api/meal': working(),
    }));
    await using closing = operator;
    expect(await readDay(closing)).toBe('2 menus');
    down = true;
    for (let minutes = 0; minutes < 360; minutes += 1) {
      clock.advance(MINUTE);
      expect(await readDay(closing)).toBe('operator_maintenance');
    }
    expect(paths().length).toBeLessThan(100);
    down = false;
    clock.advance(5 * MINUTE);
    expect(await readDay(closing)).toBe('2 menus');
    expect(paths().filter((path) => path === '/login')).toHaveLength(1);
  });
});

describe.each([
  '/notice/index.html',
  'https://notice.example/maintenance.html',
  'https://notice.example/?about=%EC%A0%90%EA%B2%80',
])('maintenance to which everything is redirected, at %s', (location) => {
  const there = (): Response => new Response('', { status: 302, headers: { location } });

  test('is no refusal of the login, and over within minutes', async () => {
    let down = true;
    const { operator, clock, paths } = setup((now) => ({
      '/login': [() => (down ? there() : loginOf(token(now, 'later', DAY_MS)))],
      '/session': [() => (down ? there() : new Response('', { status: 401 }))],
      '/api/meal': [() => (down ? there() : json(MEAL))],
      '/notice/index.html': [page(200)],
    }));
    await using closing = operator;
    for (let minutes = 0; minutes < 180; minutes += 1) {
      expect(await readDay(closing)).toBe('operator_maintenance');
      clock.advance(MINUTE);
    }
    expect(await closing.refusal?.()).toBeUndefined();
    const logins = () => paths().filter((path) => path === '/login').length;
    expect(logins()).toBe(1);
    down = false;
    clock.advance(5 * MINUTE);
    expect(await readDay(closing)).toBe('2 menus');
    expect(logins()).toBe(2);
  });

  test('does not end the session', async () => {
    let down = false;
    const { operator, clock, paths } = setup((now) => ({
      '/login': [loginWith(token(now, 'a day', DAY_MS))],
      '/api/meal': [() => (down ? there() : json(MEAL))],
      '/notice/index.html': [page(200)],
    }));
    await using closing = operator;
    expect(await readDay(closing)).toBe('2 menus');
    down = true;
    clock.advance(10 * MINUTE);
    expect(await readDay(closing)).toBe('operator_maintenance');
    down = false;
    clock.advance(5 * MINUTE);
    expect(await readDay(closing)).toBe('2 menus');
    expect(paths().filter((path) => path === '/login')).toHaveLength(1);
  });
});

test('a login that leads to the page of the login again, or to a new password, is refused', async () => {
  for (const location of ['/login?error', '/password/change', 'https://welstory.test/']) {
    const { operator } = setup(() => ({
      '/login': [new Response('', { status: 302, headers: { location } })],
      '/session': [new Response('', { status: 302, headers: { location: '/login' } })],
    }));
    await using closing = operator;
    expect(await readDay(closing), location).toBe('login_refused');
  }
});

test.each(NOTICES)(
  'an operator without accounts that is under maintenance, by %s, serves no empty day',
  async (_how, notice) => {
    let down = false;
    const { fetch, requests } = scriptedOperator({
      '/v2/storTree': [fixture('shinsegae/tree')],
      '/v2/portal/dailyMenu': [() => (down ? notice() : json(fixture('shinsegae/ds-null')))],
    });
    const clock = manualClock();
    await using operator = planeatOperator({ baseUrl: 'https://planeat.test/v2', fetch, clock });
    const read = async () => (await operator.day('CAF35', '2026-11-18', [LUNCH])).value;
    expect(await read()).toMatchObject([{ menus: [] }]);
    down = true;
    expect(await read()).toMatchObject([{ error: { code: 'operator_maintenance', retryAfterMs: MINUTE } }]);
    expect(requests.filter(({ path }) => path === '/v2/portal/dailyMenu')).toHaveLength(2);
  },
);

function loginOf(value: string): Response {
  return new Response('{}', { headers: { authorization: value } });
}

test.each<[string, string]>([
  ['a password that has expired', '{"code":0,"message":"비밀번호가 만료되었습니다."}'],
  ['a check of the password', '<p>보안 점검을 위해 비밀번호를 변경해 주세요.</p>'],
  ['a locked account', '<p>계정이 잠겼습니다. 점검이 필요합니다.</p>'],
])('%s is a refusal, not maintenance', async (_case, body) => {
  const { operator } = setup(() => ({ '/login': [body] }));
  await using closing = operator;
  expect(await readDay(closing)).toBe('login_refused');
});

test('null with the code of a failure is never taken for a day without menus', async () => {
  const { operator, clock, paths } = setup((now) => ({
    '/login': [loginWith(token(now, 'a day', DAY_MS))],
    '/session': ['{"code":500,"message":"error","data":null}'],
    '/api/meal': [MEAL, '{"code":500,"message":"처리 중 오류가 발생했습니다.","data":null}'],
  }));
  await using closing = operator;
  await readDay(closing);
  for (let minutes = 0; minutes < 360; minutes += 1) {
    clock.advance(MINUTE);
    expect(await readDay(closing)).not.toMatch(/menus/);
  }
  expect(paths().filter((path) => path === '/login').length).toBeLessThanOrEqual(10);
});

test.each([500, 503, 429])(
  'a login that is answered with %i is asked for less and less often',
  async (status) => {
    let down = true;
    const { operator, clock, paths } = setup((now) => ({
      '/login': [() => (down ? new Response('', { status }) : loginOf(token(now, 'later', DAY_MS)))],
      '/api/meal': [MEAL],
    }));
    await using closing = operator;
    for (let minutes = 0; minutes < 360; minutes += 1) {
      expect(await readDay(closing)).toBe(status === 429 ? 'operator_rate_limited' : 'operator_unavailable');
      clock.advance(MINUTE);
    }
    expect(paths().length).toBeLessThan(50);
    down = false;
    clock.advance(15 * MINUTE);
    expect(await readDay(closing)).toBe('2 menus');
  },
);
