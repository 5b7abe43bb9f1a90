import { expect, test } from 'vitest';
import { parseTree } from './parse-tree.ts';

test('restaurants of one company with the same code are told apart by their business', () => {
  const store = (busiCd: string, ko: string) => ({
    type: 'STOR',
    title: { ko },
    data: { busiCd, compCd: 'C01', storCd: 'CAF1' },
  });
  const { value } = parseTree([store('B01', '1식당'), store('B02', '2식당')]);
  expect(value.map(({ restaurant }) => `${restaurant.id} ${restaurant.name}`)).toEqual([
    'CAF1.C01.B01 1식당',
    'CAF1.C01.B02 2식당',
  ]);
});
