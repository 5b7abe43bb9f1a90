import { expect, test } from 'vitest';
import { dayChanges } from './day-change.ts';
import type { Menu } from './menu.ts';

const menu = (id: string, name = id, soldOut = false): Menu => ({
  id,
  name,
  serving: 'take-in',
  soldOut,
  components: [],
});
const told = (before: readonly Menu[], after: readonly Menu[]): readonly string[] =>
  dayChanges(before, after, '2026-11-20T02:00:00.000Z').map(({ kind, name }) => `${kind} ${name}`);

test('menus that come, go, are sold out and are back; nothing else is a change', () => {
  expect(told([menu('a')], [menu('a'), menu('b')])).toEqual(['added b']);
  expect(told([menu('a'), menu('b')], [menu('b')])).toEqual(['withdrawn a']);
  expect(told([menu('a')], [menu('a', 'a', true)])).toEqual(['sold-out a']);
  expect(told([menu('a', 'a', true)], [menu('a')])).toEqual(['available a']);
  expect(told([menu('a', 'stew')], [menu('a', 'soup')])).toEqual(['added soup', 'withdrawn stew']);
  expect(told([menu('a'), menu('b')], [menu('b'), { ...menu('a'), nutrition: { fatG: 1 } }])).toEqual([]);
});
