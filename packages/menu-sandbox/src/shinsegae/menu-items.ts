import type { Meal } from '../catalogue/restaurant.ts';
import { sumNutrition } from '../corpus/dish.ts';
import type { Course } from '../kitchen/course.ts';
import { hashKeys } from '../seeded/random.ts';

export interface MenuItemContext {
  readonly restaurantId: string;
  readonly meal: Meal;
  readonly date: string;
  /** Base URL of the photo host's paths, with a slash at the end. */
  readonly photoBaseUrl: string;
}

function photos(course: Course, baseUrl: string) {
  if (course.photo === undefined) return hashKeys(course.id) % 2 === 0 ? [] : null;
  const url = `${baseUrl}${course.photo}.png`;
  return [{ url, thumbnail: `${baseUrl}thumb/${course.photo}.png` }];
}

/** One item of `ds`: the side dishes follow the name of the main dish, and numbers are JSON numbers. */
export function toMenuItem(course: Course, context: MenuItemContext) {
  const [main, ...sides] = course.dishes;
  // An item too large for one person lists what people choose from; the first of these is the item itself.
  const choice = course.takeOut === 'heavy' ? (course.items ?? []) : [];
  const own = choice[0] ?? main;
  const sum = sumNutrition(course.dishes);
  const known = course.nutritionKnown ? 1 : 0;
  const variant = hashKeys('item', context.restaurantId, context.date, context.meal.code, course.id) % 12;
  const hideSides = variant === 0 && course.takeOut !== 'many-dishes' && course.takeOut !== 'heavy';
  return {
    cnrNm: course.corner,
    itemNmDp: main?.name ?? '',
    itemNmDpEn: variant === 1 ? '' : (main?.nameEn ?? ''),
    itemCd: `IT${String(hashKeys('code', main?.name ?? '') % 1_000_000).padStart(6, '0')}`,
    itemSeq: course.id.charCodeAt(0) - 64,
    mealCd: context.meal.code,
    ...(variant === 2 ? {} : { totCalorie: sum.caloriesKcal * known }),
    calorie: (variant === 2 ? sum.caloriesKcal : (own?.nutrition.caloriesKcal ?? 0)) * known,
    carbohydrates: sum.carbohydratesG * known,
    sugars: sum.sugarG * known,
    dietaryFiber: sum.fiberG * known,
    fat: sum.fatG * known,
    protein: sum.proteinG * known,
    salt: sum.sodiumMg * known,
    cholesterol: sum.cholesterolMg * known,
    transFat: sum.transFatG * known,
    saturatedFat: sum.saturatedFatG * known,
    calcium: sum.calciumMg * known,
    packFg: course.takeOut === 'flag' ? '2' : '1',
    soldOutYn: course.soldOut ? 'Y' : 'N',
    hidePictureYn: variant === 3 ? 'Y' : 'N',
    hideSubMenuYn: hideSides ? 'Y' : 'N',
    fileUpload: photos(course, context.photoBaseUrl),
    dailySubMenuDtos: [...sides, ...choice.slice(1)].map((dish) => ({
      subItemNmDp: dish.name,
      calorie: dish.nutrition.caloriesKcal * known,
    })),
  };
}

export type MenuItem = ReturnType<typeof toMenuItem>;

/** A notice in the form of a menu: the operator lists notices among the items. */
export function noticeItem(context: MenuItemContext): MenuItem {
  const notice = { id: 'ZZ', corner: '안내', dishes: [], soldOut: false, nutritionKnown: false };
  return { ...toMenuItem(notice, context), itemNmDp: '테이크아웃 이용안내', itemCd: 'NT000001' };
}
