import type { DailyMenu } from 'menu-client';
import { expect, test } from 'vitest';
import { samplePage as page } from '../../../test/support/sample-page.ts';
import { dayJsonLd } from './day-json-ld.ts';

test.each([
  [true, 'SoldOut'],
  [false, 'InStock'],
])('the items of a bundle of which it is %s that it is sold out are %s', (soldOut, availability) => {
  const bundle = { status: 'ok', items: [{ id: '샐러드', name: '샐러드' }] } as const;
  const menu = { id: 'a', name: '세트', serving: 'take-out', soldOut, components: [], bundle } as const;
  const day: DailyMenu = {
    restaurant: { vendor: 'welstory', id: 'R5', name: '1식당', location: [] },
    date: '2026-11-20',
    periods: [{ code: '2', label: '중식', status: 'ok', menus: [menu] }],
  };
  const written = JSON.stringify(dayJsonLd(page, day));
  expect(written.match(/schema\.org\/(?:SoldOut|InStock)/g)).toEqual([`schema.org/${availability}`]);
});
