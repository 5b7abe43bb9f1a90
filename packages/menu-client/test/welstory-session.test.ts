import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { type Answer, json, manualClock, token } from './scripted-operator.ts';

import { EMPTY, LUNCH, loginWith, MEAL, PAGE, readDay, setup } from './welstory-setup.ts';

describe('login', () => {
  test('sends the form, and the token back as it came, with one device id for all calls', async () => {
    const { operator, server } = setup(() => ({ '/login': [loginWith('a.b.c')], '/api/meal': [MEAL] }));
    await using closing = operator;
    expect(await readDay(closing)).toBe('2 menus');
    const [login, meal] = server.requests;
    expect(login).toMatchObject({
      method: 'POST',
      body: 'username=someone&password=hunter2&remember-me=false',
    });
    expect(login?.headers.get('x-autologin')).toBe('N');
    expect(meal?.headers.get('authorization')).toBe('a.b.c');
    for (const { headers } of server.requests) {
      expect(headers.get('x-device-id')).toMatch(/^[0-9a-f-]{36}$/);
      expect(headers.get('x-device-id')).toBe(login?.headers.get('x-device-id'));
      expect(headers.get('user-agent')).toBe('Welplus');
    }
  });

  test('happens once however many reads begin together, and they go one at a time', async () => {
    const { operator, server, paths } = setup(() => ({
      '/api/meal': [() => Promise.resolve(json(MEAL))],
    }));
    await using closing = operator;
    const read = await Promise.all(Array.from({ length: 12 }, () => readDay(closing)));
    expect(new Set(read)).toEqual(new Set(['2 menus']));
    expect(paths().filter((path) => path === '/login')).toHaveLength(1);
    expect(server.maxInFlight()).toBe(1);
  });

  test.each<[string, Answer]>([
    ['401', new Response('{}', { status: 401 })],
    ['403', new Response('{}', { status: 403 })],
    ['null', '{"code":0,"data":null}'],
    ['a redirect to the login page', new Response(null, { status: 302, headers: { location: '/login' } })],
  ])('is made again after %s', async (_case, refusal) => {
    const { operator, server, paths } = setup((clock) => ({
      '/login': [loginWith(token(clock, 'one')), loginWith(token(clock, 'two'))],
      '/api/meal': [refusal, MEAL],
    }));
    await using closing = operator;
    expect(await readDay(closing)).toBe('2 menus');
    expect(paths()).toEqual(['/login', '/api/meal', '/login', '/api/meal']);
    const [, first, , second] = server.requests;
    expect(second?.headers.get('authorization')).not.toBe(first?.headers.get('authorization'));
  });

  test('is made again after a page, unless the session has only just begun', async () => {
    const { operator, clock, paths } = setup((now) => ({
      '/login': [loginWith(token(now, 'one')), loginWith(token(now, 'two'))],
      '/api/meal': [MEAL, PAGE, MEAL],
    }));
    await using closing = operator;
    await readDay(closing);
    clock.advance(2 * 60_000);
    expect(await readDay(closing)).toBe('2 menus');
    expect(paths()).toEqual(['/login', '/api/meal', '/api/meal', '/login', '/api/meal']);
  });

  test('is made once after null: if the new session gets null too, there is nothing', async () => {
    const { operator, clock, paths } = setup(() => ({
      '/session': ['{"data":null}'],
      '/api/meal': ['{"code":0,"data":null}'],
    }));
    await using closing = operator;
    for (let reads = 0; reads < 3; reads += 1) expect(await readDay(closing)).toBe('0 menus');
    expect(paths()).toEqual(['/login', '/api/meal', '/login', '/api/meal', '/api/meal', '/api/meal']);
    clock.advance(2 * 60_000);
    expect(await readDay(closing)).toBe('0 menus');
    // Within the hour the session has to show otherwise that it is valid; this one seems to have ended.
    expect(paths().slice(6)).toEqual(['/api/meal', '/session', '/login', '/api/meal']);
  });

  test('of a day on which everything is null is made a few times an hour at most, and once if the session can be renewed', async () => {
    for (const [session, most] of [
      ['{"data":null}', 100],
      ['{"data":"a.b.c"}', 30],
    ] as const) {
      const { operator, clock, paths } = setup((now) => ({
        '/login': [() => new Response('{}', { headers: { authorization: token(now, 'only') } })],
        '/session': [session],
        '/api/meal': ['{"code":0,"data":null}'],
      }));
      await using closing = operator;
      for (let minutes = 0; minutes < 1440; minutes += 2) {
        await readDay(closing);
        clock.advance(2 * 60_000);
      }
      expect(paths().filter((path) => path === '/login').length).toBeLessThanOrEqual(most);
    }
  });

  test('is made again on the third empty body, not before', async () => {
    const { operator, paths } = setup(() => ({ '/api/meal': [EMPTY, EMPTY, EMPTY, MEAL] }));
    await using closing = operator;
    expect(await readDay(closing)).toBe('2 menus');
    expect(paths()).toEqual(['/login', '/api/meal', '/api/meal', '/api/meal', '/login', '/api/meal']);
  });

  test.each<[string, Answer]>([
    ['401', new Response('{}', { status: 401 })],
    ['no token', '{"message":"wrong"}'],
    ['a page', PAGE],
    ['nothing', EMPTY],
    ['null for a token', loginWith('null')],
    ['a scheme without a token', loginWith('Bearer')],
    ['a scheme and undefined', loginWith('Bearer undefined')],
  ])(
    'refused with %s is told as that, and tried again after 1 min, 10 min, 1 h, then every 6 h',
    async (_case, refusal) => {
      const refusals = Array.from({ length: 6 }, () => refusal);
      const { operator, clock, paths } = setup((now) => ({
        '/login': [...refusals, loginWith(token(now, 'later', 86_400_000))],
        '/api/meal': [MEAL],
      }));
      await using closing = operator;
      const startMs = clock.nowMs();
      let logins = 0;
      for (const waitMs of [1, 10, 60, 360, 360, 360].map((minutes) => minutes * 60_000)) {
        expect(await readDay(closing)).toBe('login_refused');
        logins += 1;
        expect(await closing.refusal?.()).toEqual({
          sinceMs: startMs,
          nextLoginAtMs: clock.nowMs() + waitMs,
        });
        clock.advance(waitMs - 1000);
        await expect(closing.restaurants()).rejects.toMatchObject({
          code: 'login_refused',
          retryAfterMs: 1000,
        });
        expect(paths()).toHaveLength(logins);
        clock.advance(1000);
      }
      expect(await readDay(closing)).toBe('2 menus');
      expect(await closing.refusal?.()).toBeUndefined();
    },
  );

  test('that cannot be made is tried again, four times at most, then after a minute; its cause is what is told', async () => {
    const broken = Object.assign(new Error('certificate has expired'), { code: 'CERT_HAS_EXPIRED' });
    const { operator, clock, paths } = setup(() => ({ '/login': [broken] }));
    await using closing = operator;
    const told = { code: 'operator_unreachable', message: expect.stringContaining('CERT_HAS_EXPIRED') };
    await expect(closing.restaurants()).rejects.toMatchObject({ ...told, retryAfterMs: 60_000 });
    expect(paths()).toEqual(['/login', '/login', '/login', '/login']);
    clock.advance(40_000);
    await expect(closing.restaurants()).rejects.toMatchObject({ ...told, retryAfterMs: 20_000 });
    expect(paths()).toHaveLength(4);
    clock.advance(20_000);
    await expect(closing.restaurants()).rejects.toMatchObject({ ...told, retryAfterMs: 60_000 });
    expect(paths()).toHaveLength(8);
    expect(await closing.refusal?.()).toBeUndefined();
  });

  test('during maintenance: a page under a new session pauses everything, and six hours of it make a handful', async () => {
    let down = true;
    const answer = () => (down ? PAGE.clone() : json(MEAL));
    const { operator, clock, paths } = setup((now) => ({
      '/login': [() => new Response('{}', { headers: { authorization: token(now, 'a day', 86_400_000) } })],
      '/api/meal': [answer],
    }));
    await using closing = operator;
    expect(await readDay(closing)).toBe('operator_maintenance');
    await expect(closing.restaurants()).rejects.toMatchObject({
      code: 'operator_maintenance',
      retryAfterMs: 60_000,
    });
    expect(paths()).toEqual(['/login', '/api/meal']);
    const count = (path: string) => paths().filter((each) => each === path).length;
    for (let minutes = 0; minutes < 360; minutes += 1) {
      clock.advance(60_000);
      expect(await readDay(closing)).toBe('operator_maintenance');
    }
    expect(count('/login')).toBeLessThanOrEqual(8);
    expect(count('/api/meal')).toBeLessThan(100);
    down = false;
    const logins = count('/login');
    clock.advance(5 * 60_000);
    expect(await readDay(closing)).toBe('2 menus');
    // The session outlasted it.
    expect(count('/login')).toBe(logins);
    clock.advance(2 * 60_000);
    expect(await readDay(closing)).toBe('2 menus');
    expect(await closing.refusal?.()).toBeUndefined();
  });

  test('after maintenance that ended all sessions is made once', async () => {
    const { operator, clock, paths } = setup((now) => ({
      '/login': [1, 2, 3].map((each) => loginWith(token(now, `${each}`, 86_400_000))),
      '/api/meal': [MEAL, PAGE, PAGE, new Response('', { status: 401 }), MEAL],
    }));
    await using closing = operator;
    await readDay(closing);
    clock.advance(2 * 60_000);
    expect(await readDay(closing)).toBe('operator_maintenance');
    clock.advance(60_000);
    expect(await readDay(closing)).toBe('2 menus');
    const logins = paths().filter((path) => path === '/login');
    expect(logins).toHaveLength(3);
  });

  test('of two programs that end each other’s sessions is not made again and again', async () => {
    let valid = true;
    const { operator, clock, paths } = setup((now) => ({
      '/login': [
        () => {
          valid = true;
          return new Response('{}', { headers: { authorization: token(now, `${now.nowMs()}`, 86_400_000) } });
        },
      ],
      '/api/meal': [() => (valid ? json(MEAL) : new Response('', { status: 401 }))],
    }));
    await using closing = operator;
    for (let seconds = 0; seconds < 86_400; seconds += 20) {
      await readDay(closing);
      valid = false;
      clock.advance(20_000);
    }
    expect(paths().filter((path) => path === '/login').length).toBeLessThan(40);
  });
});

describe('refresh', () => {
  test('comes five minutes before the token ends, not earlier', async () => {
    const { operator, clock, server, paths } = setup((now) => ({
      '/session': [JSON.stringify({ data: token(now, 'renewed', 7_200_000) })],
      '/api/meal': [MEAL],
    }));
    await using closing = operator;
    await readDay(closing);
    clock.advance(54 * 60_000);
    await readDay(closing);
    expect(paths()).toEqual(['/login', '/api/meal', '/api/meal']);
    clock.advance(2 * 60_000);
    await Promise.all([readDay(closing), readDay(closing)]);
    expect(paths().slice(3)).toEqual(['/session', '/api/meal', '/api/meal']);
    const tokens = server.requests.map(({ headers }) => headers.get('authorization'));
    expect(tokens[3]).toBe(tokens[2]);
    expect(tokens[4]).not.toBe(tokens[3]);
  });

  test.each<[string, Answer]>([
    ['without a token', '{"data":null}'],
    ['with text that is none', '{"data":"not-a-token"}'],
    ['with a number', '{"data":17}'],
    ['with nothing', EMPTY],
    ['with a page', PAGE],
    ['with 401', new Response('{}', { status: 401 })],
    ['with a broken connection', new Error('ECONNRESET')],
  ])('answered %s leads to a login', async (_case, answer) => {
    const { operator, clock, paths } = setup((now) => ({
      '/login': [loginWith(token(now, 'one')), loginWith(token(now, 'two', 7_200_000))],
      '/session': [answer],
      '/api/meal': [MEAL],
    }));
    await using closing = operator;
    await readDay(closing);
    clock.advance(56 * 60_000);
    expect(await readDay(closing)).toBe('2 menus');
    expect(paths().slice(2)).toEqual(['/session', '/login', '/api/meal']);
  });
});

describe('attempts', () => {
  test.each<[string, Answer, string]>([
    ['a broken connection', new Error('ECONNRESET'), 'operator_unreachable'],
    ['500', new Response('', { status: 500 }), 'operator_unavailable'],
    ['503', new Response('', { status: 503 }), 'operator_unavailable'],
    ['429', new Response('', { status: 429 }), 'operator_rate_limited'],
    ['an empty body', EMPTY, 'operator_answer_empty'],
    ['half a text', '{"data":[{"menuName":"제육', 'operator_answer_invalid'],
  ])('%s: four of them, with growing delays, then the reason', async (_case, answer, code) => {
    const { operator, clock, paths } = setup(() => ({ '/api/meal': [answer] }));
    await using closing = operator;
    expect(await readDay(closing)).toBe(code);
    expect(paths().filter((path) => path === '/api/meal')).toHaveLength(4);
    expect(clock.slept).toEqual([250, 500, 1000]);
  });

  test('a session that never holds: one new login, then a pause', async () => {
    const { operator, clock, paths } = setup(() => ({ '/api/meal': [new Response('', { status: 401 })] }));
    await using closing = operator;
    expect(await readDay(closing)).toBe('session_rejected');
    expect(await readDay(closing)).toBe('session_rejected');
    expect(paths()).toEqual(['/login', '/api/meal', '/login', '/api/meal']);
    clock.advance(60_000);
    expect(await readDay(closing)).toBe('session_rejected');
    expect(paths().slice(4)).toEqual(['/api/meal', '/login', '/api/meal']);
  });

  test('delays are jittered down to half', async () => {
    const { operator, clock } = setup(() => ({ '/api/meal': [EMPTY] }), { random: () => 0 });
    await using closing = operator;
    await readDay(closing);
    expect(clock.slept).toEqual([125, 250, 500]);
  });

  test('waits as long as the operator asks, and not at all where it asks for longer than a read may take', async () => {
    const busy = (seconds: string) => new Response('', { status: 429, headers: { 'retry-after': seconds } });
    const patient = setup(() => ({ '/api/meal': [busy('3'), MEAL] }));
    expect(await readDay(patient.operator)).toBe('2 menus');
    expect(patient.clock.slept).toEqual([3000]);
    const impatient = setup(() => ({ '/api/meal': [busy('600')] }));
    const { value } = await impatient.operator.day('REST000007', '2026-11-18', [LUNCH]);
    expect(value).toMatchObject([{ error: { code: 'operator_rate_limited', retryAfterMs: 600_000 } }]);
    expect(impatient.clock.slept).toEqual([]);
  });

  test('a request that is refused for itself is not repeated', async () => {
    const { operator, paths } = setup(() => ({ '/api/meal': [new Response('', { status: 404 })] }));
    await using closing = operator;
    expect(await readDay(closing)).toBe('operator_refused');
    expect(paths()).toEqual(['/login', '/api/meal']);
  });
});

test('no error shows the password or a token', async () => {
  const secret = token(manualClock(), 'secret');
  const answers: Record<string, readonly Answer[]>[] = [
    { '/login': [new Response('hunter2', { status: 401 })] },
    { '/login': [loginWith(secret)], '/api/mypage/rest-list': [new Error('ECONNRESET')] },
    { '/login': [loginWith(secret)], '/api/mypage/rest-list': [new Response(secret, { status: 401 })] },
    { '/login': [loginWith(secret)], '/api/mypage/rest-list': [`{"data":"${secret}"}`] },
  ];
  for (const answer of answers) {
    const { operator } = setup(() => answer);
    const error: unknown = await operator.restaurants().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Error);
    const shown = inspect(error, { depth: 10, showHidden: true });
    expect(shown).not.toContain('hunter2');
    expect(shown).not.toContain(secret.slice(7));
    await operator[Symbol.asyncDispose]();
  }
});
