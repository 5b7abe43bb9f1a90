import type { DishMatch, Menu } from 'menu-client';
import { expect, test } from 'vitest';
import { inOrderOfMeals } from './dish-order.ts';

const match = (
  name: string,
  date: string,
  code: string,
  more: Partial<DishMatch & Menu> = {},
): DishMatch => ({
  restaurant: { vendor: 'welstory', id: 'r', name: 'r', location: [] },
  date,
  period: { code, label: code, status: 'ok' },
  menu: {
    id: name,
    name,
    serving: 'take-in',
    soldOut: false,
    components: [],
    ...(more.bundle && { bundle: more.bundle }),
  },
  found: more.found ?? 'menu',
});

test('the present meal first, what is over last of today, a bundle after the menus of its meal', () => {
  const matches = [
    match('tomorrow', '2026-11-21', '2'),
    match('breakfast', '2026-11-20', '1'),
    match('bundle', '2026-11-20', '2', { bundle: { status: 'ok', items: [] } }),
    match('dinner', '2026-11-20', '3'),
    match('side', '2026-11-20', '2', { found: 'dish' }),
    match('lunch', '2026-11-20', '2'),
  ];
  expect(inOrderOfMeals(matches, '2026-11-20', '2').map(({ menu }) => menu.name)).toEqual([
    'lunch',
    'side',
    'bundle',
    'dinner',
    'breakfast',
    'tomorrow',
  ]);
});
