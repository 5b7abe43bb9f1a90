import { expect, test } from 'vitest';
import { choicesOf, isWholeMeal } from './choice.ts';
import type { Bundle, Menu } from './menu.ts';

function menu(id: string, more: Partial<Menu> = {}): Menu {
  return { id, name: id, serving: 'take-in', soldOut: false, components: [], ...more };
}

function takeOut(bundle: Bundle): Menu {
  return menu('2.E5.BB', { name: '햄에그샌드위치', serving: 'take-out', bundle });
}

const SANDWICH = { id: '햄에그샌드위치', name: '햄에그샌드위치', nutrition: { caloriesKcal: 391 } };
const SHAKE = { id: '프로틴쉐이크', name: '프로틴쉐이크' };

test('a menu is one choice, a bundle as many as it has items, each with its own nutrition', () => {
  const soup = menu('a', { nameEn: 'Soup', nutrition: { caloriesKcal: 700 } });
  const bundle = takeOut({ status: 'ok', items: [SANDWICH, SHAKE] });
  expect(choicesOf([soup, bundle])).toEqual([
    { id: 'a', name: 'a', nameEn: 'Soup', nutrition: { caloriesKcal: 700 }, menu: soup },
    {
      id: '2.E5.BB/햄에그샌드위치',
      name: '햄에그샌드위치',
      nutrition: { caloriesKcal: 391 },
      menu: bundle,
      item: SANDWICH,
    },
    { id: '2.E5.BB/프로틴쉐이크', name: '프로틴쉐이크', menu: bundle, item: SHAKE },
  ]);
});

test.each(['failed', 'empty'] as const)(
  'a bundle whose items are %s is one choice of unknown nutrition',
  (status) => {
    const bundle = { ...takeOut({ status, items: [] }), nutrition: { caloriesKcal: 4254 } };
    expect(choicesOf([bundle])).toEqual([{ id: '2.E5.BB', name: '햄에그샌드위치', menu: bundle }]);
  },
);

test.each<[string, Menu, boolean]>([
  ['a dish of its own', menu('a', { nutrition: { caloriesKcal: 700 } }), true],
  ['a dish whose energy nobody knows', menu('a'), true],
  [
    'a light dish with sides',
    menu('a', {
      components: [SANDWICH, SHAKE].map(({ name }) => ({ name, main: false })),
      nutrition: { caloriesKcal: 150 },
    }),
    true,
  ],
  ['a coffee', menu('a', { serving: 'take-out', nutrition: { caloriesKcal: 12 } }), false],
  ['a bundle', takeOut({ status: 'ok', items: [SANDWICH] }), false],
  ['a bundle that could not be read', takeOut({ status: 'failed', items: [] }), false],
])('whether %s is a meal by itself', (_what, of, expected) => {
  expect(isWholeMeal(of)).toBe(expected);
});
