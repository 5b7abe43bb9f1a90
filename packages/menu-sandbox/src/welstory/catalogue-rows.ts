import type { SandboxRestaurant } from '../catalogue/restaurant.ts';
import { hashKeys } from '../seeded/random.ts';

/** A row of `GET /api/mypage/rest-list`. */
export interface CatalogueRow {
  readonly restaurantId: string | null;
  readonly restaurantCode: string | null;
  readonly restaurantName: string;
  readonly restaurantDesc: string | null;
}

/** Restaurants that are internal or closed: clients should not show them. */
export const HIDDEN_ROWS: readonly CatalogueRow[] = [
  { restaurantId: 'REST009001', restaurantCode: 'REST009001', restaurantName: 'x', restaurantDesc: 'x' },
  { restaurantId: 'REST009002', restaurantCode: 'REST009002', restaurantName: 'test', restaurantDesc: null },
  {
    restaurantId: 'REST009003',
    restaurantCode: null,
    restaurantName: '테스트',
    restaurantDesc: '본사|테스트',
  },
  {
    restaurantId: 'REST009004',
    restaurantCode: 'REST009004',
    restaurantName: '강남역점(운영종료)',
    restaurantDesc: '서울 강남구|강남역점(운영종료)',
  },
  { restaurantId: 'REST009005', restaurantCode: null, restaurantName: '테스트 키친', restaurantDesc: '본사' },
  { restaurantId: 'REST009006', restaurantCode: null, restaurantName: '식당없음', restaurantDesc: null },
  { restaurantId: 'REST999999', restaurantCode: null, restaurantName: '미지정', restaurantDesc: null },
];

/** Either id may be missing. Breadcrumbs are separated by either bar and may repeat; the last is usually the restaurant's name. */
export function toCatalogueRow(restaurant: SandboxRestaurant): CatalogueRow {
  const variant = hashKeys('row', restaurant.id) % 10;
  const crumbs = variant < 7 ? [...restaurant.location, restaurant.name] : [...restaurant.location];
  if (variant % 5 === 1) crumbs.splice(1, 0, restaurant.location[0] ?? '');
  return {
    restaurantId: variant === 3 ? null : restaurant.id,
    restaurantCode: variant === 4 ? null : restaurant.id,
    restaurantName: restaurant.name,
    restaurantDesc: crumbs.join(variant % 3 === 0 ? ' │ ' : variant % 3 === 1 ? '|' : ' | '),
  };
}
