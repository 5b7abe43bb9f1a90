import type { DailyMenu, MealPeriod, Menu, Restaurant } from 'menu-client';

export const sampleRestaurant: Restaurant = {
  vendor: 'welstory',
  id: 'REST000007',
  name: '강남 R5 B1F',
  nameEn: 'Gangnam R5 B1F',
  location: ['서울', '강남구', '강남 R5 타워'],
};

export function sampleMenu(overrides: Partial<Menu> = {}): Menu {
  return {
    id: 'AA.1',
    name: '돼지고기 김치찌개',
    nameEn: 'Kimchi stew with pork',
    corner: '한식 코너',
    serving: 'take-in',
    soldOut: false,
    components: [
      {
        name: '돼지고기 김치찌개',
        main: true,
        nutrition: { caloriesKcal: 412, proteinG: 24.5, sodiumMg: 1475 },
      },
      { name: '흰쌀밥', main: false, nutrition: { caloriesKcal: 300 } },
      { name: '계란말이', main: false, nutrition: { caloriesKcal: 120, proteinG: 9 } },
      { name: '배추김치', main: false },
    ],
    nutrition: { caloriesKcal: 832, carbohydratesG: 98.4, proteinG: 33.5, fatG: 21, sodiumMg: 1875 },
    ...overrides,
  };
}

const photo = (name: string) => ({ url: `http://photos.example/${name}.jpg` });

export function samplePeriod(overrides: Partial<MealPeriod> = {}): MealPeriod {
  return {
    code: '2',
    label: '점심',
    status: 'ok',
    fetchedAt: '2026-11-20T02:02:00.000Z',
    firstSeenAt: '2026-11-18T00:00:00.000Z',
    changedAt: '2026-11-19T01:00:00.000Z',
    menus: [
      sampleMenu({ photo: photo('kimchi') }),
      sampleMenu({
        id: 'BB.1',
        name: '수제 치즈 돈까스',
        nameEn: 'Cheese pork cutlet',
        corner: '일품',
        photo: photo('cutlet'),
      }),
      sampleMenu({ id: 'CC.1', name: '얼큰 순두부', corner: '분식', soldOut: true, components: [] }),
      sampleMenu({
        id: 'TT.1',
        name: '닭가슴살 샐러드',
        corner: '테이크아웃',
        serving: 'take-out',
        nutrition: { caloriesKcal: 320.5, proteinG: 28.2 },
      }),
      sampleMenu({
        id: 'TT.2',
        name: '모닝빵 샌드위치',
        corner: '테이크아웃',
        serving: 'take-out',
        photo: photo('sandwich'),
        nutrition: { caloriesKcal: 280.1 },
      }),
    ],
    ...overrides,
  };
}

export function sampleDay(overrides: Partial<DailyMenu> = {}): DailyMenu {
  return {
    restaurant: sampleRestaurant,
    date: '2026-11-20',
    periods: [
      samplePeriod({
        code: '1',
        label: '아침',
        menus: [sampleMenu({ id: 'A', name: '황태해장국', photo: photo('a') })],
      }),
      samplePeriod(),
      samplePeriod({
        code: '3',
        label: '저녁',
        status: 'stale',
        error: { code: 'operator_unreachable', retryable: true },
      }),
      {
        code: '4',
        label: '야식',
        status: 'failed',
        menus: [],
        error: { code: 'operator_timeout', retryable: true },
      },
      { code: '5', label: '간식', status: 'empty', menus: [], fetchedAt: '2026-11-20T02:02:00.000Z' },
    ],
    ...overrides,
  };
}
