import { factsOf, type OperatorFact } from './operator-fact.ts';

const CLIENTS = { operator: 'shinsegae', source: 'public clients' } as const;
const TREE = '/storTree';
const TIMES = '/storTime';
const MENU = '/portal/dailyMenu';

/** What is known about the answers of PlanEAT Choice. */
export const SHINSEGAE_FACTS: readonly OperatorFact[] = [
  ...factsOf({ ...CLIENTS, path: TREE, within: '' }, [
    ['ds', 'the tree, where it is not the answer itself'],
    ['resultList', 'the same'],
    ['data', 'the same'],
    ['list', 'the same'],
  ]),
  ...factsOf({ ...CLIENTS, path: TREE, within: '[]' }, [
    ['type', 'BUSI, COMP or STOR'],
    ['code', 'code of the node', 'the codes that requests need are in data'],
    ['title', 'its names'],
    ['data', 'its codes'],
    ['children', 'the nodes below'],
  ]),
  ...factsOf({ ...CLIENTS, path: TREE, within: '[].title' }, [
    ['ko', 'Korean name; may be missing'],
    ['en', 'English name; may be missing'],
  ]),
  ...factsOf({ ...CLIENTS, path: TREE, within: '[].data' }, [
    ['busiCd', 'code of the business'],
    ['compCd', 'code of the company'],
    ['storCd', 'code of the restaurant; may be a list with commas'],
    ['storNm', 'name of the restaurant'],
    ['storNmEn', 'English name of the restaurant'],
  ]),
  ...factsOf({ ...CLIENTS, path: TIMES, within: '' }, [['mealData', 'the meals; may be missing']]),
  ...factsOf({ ...CLIENTS, path: TIMES, within: 'mealData[]' }, [
    ['mealCd', 'which meal; text or number'],
    ['mealCdNm', 'what the restaurant calls it'],
  ]),
  ...factsOf({ ...CLIENTS, path: MENU, within: '' }, [['ds', 'the menus; missing or null on an empty day']]),
  ...factsOf({ ...CLIENTS, path: MENU, within: 'ds[]' }, [
    ['cnrNm', 'name of the corner'],
    ['itemNmDp', 'name of the menu'],
    ['itemNmDpEn', 'English name'],
    ['itemCd', 'number of the menu; may be missing'],
    ['itemSeq', 'its number among those with the same itemCd; may be missing'],
    ['mealCd', 'the meal that it is of, whatever was asked for'],
    ['totCalorie', 'energy in kcal'],
    ['calorie', 'energy in kcal where there is no total; else of the main dish alone'],
    ['carbohydrates', 'carbohydrates in g'],
    ['sugars', 'sugars in g'],
    ['dietaryFiber', 'dietary fibre in g'],
    ['fat', 'fat in g'],
    ['protein', 'protein in g'],
    ['salt', 'sodium in mg'],
    ['cholesterol', 'cholesterol in mg'],
    ['transFat', 'trans fat in g'],
    ['saturatedFat', 'saturated fat in g'],
    ['calcium', 'calcium in mg'],
    ['packFg', '1 to eat in, 2 to take out'],
    ['soldOutYn', 'whether it is sold out'],
    ['hidePictureYn', 'Y when its photos are not to be shown'],
    ['hideSubMenuYn', 'Y when its side dishes are not to be shown'],
    ['fileUpload', 'its photos; may be null'],
    ['dailySubMenuDtos', 'its side dishes'],
  ]),
  ...factsOf({ ...CLIENTS, path: MENU, within: 'ds[].fileUpload[]' }, [
    ['url', 'address of a photo'],
    ['thumbnail', 'address of a smaller one'],
  ]),
  ...factsOf({ ...CLIENTS, path: MENU, within: 'ds[].dailySubMenuDtos[]' }, [
    ['subItemNmDp', 'name of a side dish'],
    ['calorie', 'its energy in kcal'],
  ]),
];
