import type { Menu } from 'menu-client';
import { expect, test } from 'vitest';
import { parseDishes, parseItems, withDishes } from './parse-detail.ts';

const NOTHING = { value: [], droppedRows: 0 };

test('of dishes of which none is marked, the one that the menu is named after comes first', () => {
  const menu: Menu = { id: 'a', name: '제육볶음', serving: 'take-in', soldOut: false, components: [] };
  const dishes = parseDishes([{ menuName: '쌀밥' }, { menuName: '제육볶음' }]);
  expect(withDishes(menu, dishes, NOTHING).components).toEqual([
    { name: '제육볶음', main: true },
    { name: '쌀밥', main: false },
  ]);
});

test('a bundle is none of its own items, in letters of whatever width and form', () => {
  const rows = [{ menuName: 'Ａ세트'.normalize('NFD'), kcal: '0' }, { menuName: '샐러드' }];
  expect(parseItems(rows, 'a 세트').value.map(({ name }) => name)).toEqual(['샐러드']);
});
