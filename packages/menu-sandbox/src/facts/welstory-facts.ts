import { type FactRow, factsOf, type OperatorFact } from './operator-fact.ts';

const CLIENTS = { operator: 'welstory', source: 'public clients' } as const;
const RECORDED = { operator: 'welstory', source: 'recorded' } as const;

const MEAL = '/api/meal';
const MEAL_LIST = { path: MEAL, within: 'data.mealList[]' } as const;
const SMART_LIST = { path: MEAL, within: 'data.smartOrderMenuList[]' } as const;

const ASKED = 'repeats what was asked for';

const FIGURES: readonly FactRow[] = [
  ['totCho', 'carbohydrates in g'],
  ['totSugar', 'sugars in g'],
  ['totFib', 'dietary fibre in g'],
  ['totFat', 'fat in g'],
  ['totProtein', 'protein in g'],
  ['totNa', 'sodium in mg'],
  ['totCalcium', 'calcium in mg'],
];

const DISH: readonly FactRow[] = [
  ['menuName', 'name of the dish'],
  ['typicalMenu', 'whether it names the course: Y and N, at some restaurants 메인 and 서브'],
  ['kcal', 'energy of the dish in kcal'],
];

/** What is known about the answers of Welstory Plus. */
export const WELSTORY_FACTS: readonly OperatorFact[] = [
  ...factsOf({ ...CLIENTS, path: '/session', within: '' }, [['data', 'a new token, or nothing usable']]),
  ...factsOf({ ...CLIENTS, path: '/api/mypage/rest-list', within: '' }, [
    ['data', 'the list; may be missing around it'],
  ]),
  ...factsOf({ ...CLIENTS, path: '/api/mypage/rest-list', within: 'data[]' }, [
    ['restaurantId', 'id of the restaurant; may be null'],
    ['restaurantCode', 'id of the restaurant; may be null'],
    ['restaurantName', 'its name'],
    ['restaurantDesc', 'breadcrumbs, divided by bars'],
  ]),
  ...factsOf({ ...CLIENTS, path: '/api/menu/getMealTimeList', within: '' }, [['data', 'the list']]),
  ...factsOf({ ...CLIENTS, path: '/api/menu/getMealTimeList', within: 'data[]' }, [
    ['code', 'which meal; text or number'],
    ['codeNm', 'what the restaurant calls it'],
    ['tmYn', 'Y for the meal of this moment', 'the clock of this program says which meal it is'],
  ]),
  ...factsOf({ ...CLIENTS, path: MEAL, within: '' }, [
    ['data', 'the lists; null may be how an ended session answers; may be missing around them'],
    ['mealList', 'as in data'],
    ['smartOrderMenuList', 'as in data'],
  ]),
  ...factsOf({ ...CLIENTS, path: MEAL, within: 'data' }, [['mealList', 'dishes; may be empty or null']]),
  ...factsOf({ ...RECORDED, path: MEAL, within: 'data' }, [
    ['smartOrderMenuList', 'dishes that can be ordered ahead; may be empty or null'],
  ]),
  ...factsOf({ ...CLIENTS, ...MEAL_LIST }, [
    ['menuName', 'name of the dish, or of the course'],
    ['menuCode', 'number of the dish', 'hall and course are what details are asked for by'],
    ['hallNo', 'hall; with the course it identifies a menu'],
    ['menuDt', 'date, YYYYMMDD', ASKED],
    ['menuCourseType', 'course, AA, BB, ...; may be missing'],
    ['menuMealType', 'which meal', ASKED],
    ['restaurantCode', 'which restaurant', ASKED],
    ['courseTxt', 'name of the corner'],
    ['typicalMenu', 'whether it names the course: Y and N, at some restaurants 메인 and 서브'],
    ['setMenuName', 'name of the course'],
    ['subMenuTxt', 'side dishes: divided by commas, slashes, <br>, new lines, in take-out ||'],
    ['menuNameEng', 'English name; may be null although there is one'],
    ['salesType', 'L to eat in, T to take out'],
    ['photoUrl', 'first part of the address of the photo; may be empty'],
    ['photoCd', 'second part of it; may be empty'],
    ['kcal', 'energy of the dish in kcal, with thousands commas'],
    ['sumKcal', 'energy of the course in kcal'],
    ['sumProtein', 'protein of the course in g'],
    ['sumFat', 'fat of the course in g'],
    ['sumNa', 'sodium of the course in mg'],
    ['sumSugar', 'sugars of the course in g'],
  ]),
  ...factsOf({ ...RECORDED, ...MEAL_LIST }, [
    ['soldOutYn', 'whether it is sold out; null in the recordings'],
    ['soldStat', 'the same; null in the recordings'],
    ['setName', 'name of the course'],
    ['engMenuName', 'English name where menuNameEng has none'],
    ['engSetMenuName', 'English name of the course'],
    ['subEngMenuTxt', 'English names of the side dishes, parallel to subMenuTxt'],
    ['menuId', 'number of the dish', 'hall and course are what details are asked for by'],
    ['menuSeq', 'number of the row', 'hall and course are what details are asked for by'],
    ['takeOutCnt', 'a count', 'its meaning is not known'],
    ['evalCnt', 'how many people rated it', 'ratings are not shown'],
    ['likeCnt', 'how many people liked it', 'ratings are not shown'],
  ]),
  ...factsOf({ ...RECORDED, ...SMART_LIST }, [
    ['menuName', 'name of the dish'],
    ['smartSubMenuTxt', 'its side dishes'],
    ['sumKcal', 'energy in kcal'],
    ['smartQuantity', 'how many there were', 'only whether any is left is shown'],
    ['smartRemainingQuantity', 'how many are left; none means sold out'],
    ['smartStatus', 'state of the order; its values are not known'],
  ]),
  ...factsOf({ ...CLIENTS, path: '/api/meal/detail', within: '' }, [['data', 'the list']]),
  ...factsOf({ ...CLIENTS, path: '/api/meal/detail', within: 'data[]' }, [
    ...DISH,
    ['totKcal', 'energy of the course in kcal, on each row'],
    ...FIGURES,
  ]),
  ...factsOf({ ...CLIENTS, path: '/api/meal/detail/nutrient', within: '' }, [['data', 'the list']]),
  ...factsOf({ ...CLIENTS, path: '/api/meal/detail/nutrient', within: 'data[]' }, [...DISH, ...FIGURES]),
];
