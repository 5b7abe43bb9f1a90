import type { Random } from '../seeded/random.ts';

/** The two operators that the sandbox imitates. */
export const VENDORS = ['welstory', 'shinsegae'] as const;

/** The operator that a stand-in answers for. */
export type Vendor = (typeof VENDORS)[number];

/** Kitchens that a corner can run. */
export const CUISINES = ['korean', 'soup', 'noodle', 'western', 'asian'] as const;

/** What a corner cooks; it decides the dishes. */
export type Cuisine = (typeof CUISINES)[number];

/** A counter of a restaurant. */
export interface Corner {
  /** In Korean. */
  readonly name: string;
  /** What it cooks. */
  readonly cuisine: Cuisine;
}

/** A meal that a restaurant serves, and what the restaurant calls it. */
export interface Meal {
  /** As both operators number meals: 1 breakfast, 2 lunch, 3 dinner, 4 late night, 5 snack, 6 dawn. */
  readonly code: '1' | '2' | '3' | '4' | '5' | '6';
  /** In Korean, such as 점심. */
  readonly label: string;
}

/** One restaurant of the sandbox; the same seed gives the same restaurants. */
export interface SandboxRestaurant {
  /** The operator that runs it. */
  readonly vendor: Vendor;
  /** As in the operator's API. */
  readonly id: string;
  /** In Korean. */
  readonly name: string;
  /** In English. */
  readonly nameEn: string;
  /** From wide to narrow, without the restaurant's own name. */
  readonly location: readonly string[];
  /** By code, ascending. */
  readonly meals: readonly Meal[];
  /** The corners where people eat in; at least one. */
  readonly corners: readonly Corner[];
  /** Name of the take-out corner; absent if there is none. */
  readonly takeOutCorner?: string;
  /** True if it also serves on Saturdays, Sundays and public holidays. */
  readonly openEveryDay: boolean;
}

/** Code of lunch under the fault `unknown-meal-code`; requests may always use it. */
export const OTHER_LUNCH_CODE = '20';

/** The meal that a request names. */
export function mealOf({ meals }: SandboxRestaurant, asked: string | undefined): Meal | undefined {
  const code = asked === OTHER_LUNCH_CODE ? '2' : asked;
  return meals.find((meal) => meal.code === code);
}

const LABELS: Readonly<Record<Meal['code'], readonly string[]>> = {
  '1': ['아침', '조식', 'Breakfast'],
  '2': ['점심', '중식', 'Lunch'],
  '3': ['저녁', '석식', 'Dinner'],
  '4': ['야식', '심야', '야간식'],
  '5': ['간식', '스낵'],
  '6': ['새벽', '조조식'],
};

const MEALS_BY_KIND: Readonly<Record<string, readonly Meal['code'][]>> = {
  office: ['1', '2', '3'],
  plant: ['1', '2', '3', '4', '6'],
  hospital: ['1', '2', '3', '4'],
  campus: ['1', '2', '3', '5'],
};

const CORNER_STYLES: readonly Readonly<Record<Cuisine, string>>[] = [
  { korean: 'A:한식', soup: 'B:탕·찌개', noodle: 'C:면', western: 'D:양식', asian: 'E:일품' },
  { korean: '코너 A', soup: '코너 B', noodle: '코너 C', western: '코너 D', asian: '코너 E' },
  { korean: '한식', soup: '뚝배기', noodle: '누들', western: '그릴', asian: '아시안' },
  { korean: '집밥', soup: '우리맛국밥', noodle: '면채반', western: '싱푸드', asian: '세계로' },
  { korean: 'KOREAN 1', soup: 'KOREAN 2', noodle: 'NOODLE', western: 'WESTERN', asian: 'GLOBAL' },
  { korean: '백반', soup: '국밥', noodle: '면&분식', western: '파스타&스테이크', asian: '덮밥' },
];

const TAKE_OUT_CORNERS = ['Take Out', '테이크아웃', 'T/O', '간편식', 'Healthy Pack', 'Grab&Go'];

/** How a restaurant of this kind serves: meals, corners, weekends. */
export function createProfile(
  random: Random,
  kind: 'office' | 'plant' | 'hospital' | 'campus',
): Pick<SandboxRestaurant, 'meals' | 'corners' | 'takeOutCorner' | 'openEveryDay'> {
  const labels = random.int(0, 2);
  const codes = MEALS_BY_KIND[kind] ?? ['2'];
  const meals = codes
    .filter((code) => code === '2' || random.chance(0.9))
    .map((code) => ({ code, label: LABELS[code][labels % LABELS[code].length] ?? code }));
  const style = random.pick(CORNER_STYLES);
  const others = random.sample<Cuisine>(['soup', 'noodle', 'western', 'asian'], random.int(2, 4));
  const cuisines = CUISINES.filter((cuisine) => cuisine === 'korean' || others.includes(cuisine));
  return {
    meals,
    corners: cuisines.map((cuisine) => ({ name: style[cuisine], cuisine })),
    ...(random.chance(0.7) ? { takeOutCorner: random.pick(TAKE_OUT_CORNERS) } : {}),
    openEveryDay: kind === 'hospital' || (kind === 'plant' && random.chance(0.3)),
  };
}
