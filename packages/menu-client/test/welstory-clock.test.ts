import type { Clock } from 'menu-client';
import { describe, expect, test } from 'vitest';
import { json, token } from './scripted-operator.ts';
import { loginWith, MEAL, PAGE, readDay, setup } from './welstory-setup.ts';

test.each<[string, number]>([
  ['ends within minutes', 4 * 60_000],
  ['is over already by our clock', -30 * 60_000],
])(
  'a token that %s, and cannot be renewed, is used until the operator turns it away',
  async (_case, lifeMs) => {
    let current = '';
    const { operator, clock, paths } = setup((now) => ({
      '/login': [
        () => {
          current = token(now, `at ${now.nowMs()}`, lifeMs);
          return new Response('{}', { headers: { authorization: current } });
        },
      ],
      '/session': [new Response('', { status: 404 })],
      '/api/meal': [
        ({ headers }) =>
          headers.get('authorization') === current ? json(MEAL) : new Response('', { status: 401 }),
      ],
    }));
    await using closing = operator;
    const count = (wanted: string) => paths().filter((path) => path === wanted).length;
    for (let minutes = 0; minutes < 60; minutes += 1) {
      for (let reads = 0; reads < 3; reads += 1) expect(await readDay(closing)).toBe('2 menus');
      clock.advance(60_000);
    }
    expect(count('/login')).toBe(1);
    expect(count('/session')).toBeLessThanOrEqual(60);
    current = 'ended';
    expect(await readDay(closing)).toBe('2 menus');
    expect(count('/login')).toBe(2);
  },
);

describe('a clock that was a month ahead and is set right', () => {
  const MONTH_MS = 30 * 24 * 3_600_000;

  test('leaves a refusal for as long as one may last, not for a month', async () => {
    const { operator, clock, paths } = setup((now) => ({
      '/login': [new Response('{}'), loginWith(token(now, 'right'))],
      '/api/meal': [MEAL],
    }));
    await using closing = operator;
    expect(await readDay(closing)).toBe('login_refused');
    clock.advance(-MONTH_MS);
    expect(await readDay(closing)).toBe('login_refused');
    clock.advance(6 * 3_600_000);
    expect(await readDay(closing)).toBe('2 menus');
    expect(paths().filter((path) => path === '/login')).toHaveLength(2);
  });

  test('leaves no pause for a month, and null is not believed for so long', async () => {
    const nothing = '{"data":null}';
    const login = (now: Clock) => () =>
      new Response('{}', { headers: { authorization: token(now, 'a year', 365 * 86_400_000) } });
    const { operator, clock } = setup((now) => ({
      '/login': [login(now)],
      '/session': [new Response('', { status: 404 })],
      '/api/meal': [PAGE, MEAL, nothing, nothing, nothing, MEAL],
    }));
    await using closing = operator;
    expect(await readDay(closing)).toBe('operator_maintenance');
    clock.advance(-MONTH_MS);
    expect(await readDay(closing)).toBe('operator_maintenance');
    clock.advance(5 * 60_000);
    expect(await readDay(closing)).toBe('2 menus');
    expect(await readDay(closing)).toBe('0 menus');
    clock.advance(-MONTH_MS);
    await readDay(closing);
    clock.advance(60_000);
    expect(await readDay(closing)).toBe('2 menus');
  });
});
