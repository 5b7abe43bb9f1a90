import { expect, test } from 'vitest';
import type { Menu } from './menu.ts';
import { compareMenus } from './menu-change.ts';

function menu(id: string, name = id): Menu {
  return { id, name, serving: 'take-in', soldOut: false, components: [] };
}

test('tells added, changed and withdrawn menus by their ids', () => {
  const before = [menu('a'), menu('b'), menu('c')];
  const after = [menu('d'), menu('b', 'another'), menu('a')];
  expect(compareMenus(before, after)).toEqual([
    { kind: 'added', menu: menu('d') },
    { kind: 'changed', menu: menu('b', 'another') },
    { kind: 'withdrawn', menu: menu('c') },
  ]);
});

test('neither the order of menus nor that of members is a change', () => {
  const [one, two] = [menu('a'), menu('b')];
  const reordered = Object.fromEntries(Object.entries(one).reverse()) as unknown as Menu;
  expect(compareMenus([one, two], [two, reordered])).toEqual([]);
});
