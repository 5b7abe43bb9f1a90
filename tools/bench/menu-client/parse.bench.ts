import { parseDailyMenu } from '../../../packages/menu-client/src/shinsegae/parse-daily-menu.ts';
import { parseMealList } from '../../../packages/menu-client/src/welstory/parse-meal-list.ts';
import { median, ratiosOf, spreadOf } from '../support/numbers.ts';
import { report } from '../support/report.ts';
import { timeStrategies } from '../support/rounds.ts';

const MENUS = 60;
const DISHES = 6;
const NAMES = ['제육볶음', '쌀밥', '된장국', '배추김치', '콩나물무침', '계란찜', '잡채', '깍두기'];

function nameOf(menu: number, dish: number): string {
  return `${NAMES[(menu + dish) % NAMES.length] ?? ''}${dish === 0 ? menu : ''}`;
}

const TEXTS = {
  'welstory, a row per dish': JSON.stringify({
    code: 0,
    message: null,
    data: {
      mealList: Array.from({ length: MENUS * DISHES }, (_, at) =>
        row(Math.floor(at / DISHES), at % DISHES, null),
      ),
    },
  }),
  'welstory, a row per course': JSON.stringify({
    code: 0,
    message: null,
    data: {
      mealList: Array.from({ length: MENUS }, (_, menu) =>
        row(menu, 0, Array.from({ length: DISHES - 1 }, (_side, dish) => nameOf(menu, dish + 1)).join(',')),
      ),
    },
  }),
  shinsegae: JSON.stringify({ code: 200, ds: Array.from({ length: MENUS }, (_, menu) => item(menu)) }),
};

type Kind = keyof typeof TEXTS;

function row(menu: number, dish: number, subMenuTxt: string | null) {
  return {
    menuSeq: menu * 100 + dish,
    restaurantName: 'R5 1식당',
    restaurantCode: 'REST000007',
    hallNo: 'E007',
    menuDt: '20261118',
    menuCourseType: `C${menu}`,
    menuCode: `10001234${menu}${dish}`,
    menuMealType: '2',
    menuMealTypeTxt: '점심',
    courseTxt: `코너 ${menu % 7}`,
    setMenuName: null,
    menuName: nameOf(menu, dish),
    menuNameEng: `Dish ${menu} ${dish}`,
    subMenuTxt,
    salesType: 'L1',
    photoUrl: 'http://photos.example/data/manager/recipe/',
    photoCd: dish === 0 ? `E007/20261118/${menu}.jpg` : '',
    typicalMenu: dish === 0 ? 'Y' : 'N',
    kcal: '312',
    sumKcal: '1,475',
    sumProtein: '38.2',
    sumFat: '21',
    sumNa: '1,820',
    sumSugar: '9',
  };
}

function item(menu: number) {
  return {
    cnrNm: `코너 ${menu % 7}`,
    itemNmDp: nameOf(menu, 0),
    itemNmDpEn: `Dish ${menu}`,
    itemCd: `IT${100_000 + menu}`,
    itemSeq: menu,
    mealCd: '2',
    totCalorie: 905,
    calorie: 412,
    carbohydrates: 120.5,
    sugars: 9,
    dietaryFiber: 4,
    fat: 21,
    protein: 38.2,
    salt: 1820,
    cholesterol: 80,
    transFat: 0.1,
    saturatedFat: 6,
    calcium: 88,
    packFg: '1',
    soldOutYn: 'N',
    hidePictureYn: 'N',
    hideSubMenuYn: 'N',
    fileUpload: [
      { url: `https://photos.example/${menu}.jpg`, thumbnail: `https://photos.example/t/${menu}.jpg` },
    ],
    dailySubMenuDtos: Array.from({ length: DISHES - 1 }, (_, dish) => ({
      subItemNmDp: nameOf(menu, dish + 1),
      calorie: 80 + dish,
    })),
  };
}

const PARSE: Readonly<Record<Kind, (text: string) => number>> = {
  'welstory, a row per dish': (text) => parseMealList(JSON.parse(text), '2').value.length,
  'welstory, a row per course': (text) => parseMealList(JSON.parse(text), '2').value.length,
  shinsegae: (text) => parseDailyMenu(JSON.parse(text), '2').value.length,
};

let worst = 0;
for (const kind of Object.keys(TEXTS) as Kind[]) {
  const text = TEXTS[kind];
  const { rounds, medians } = await timeStrategies(
    {
      json: { work: () => (JSON.parse(text) === null ? 0 : MENUS), times: 60 },
      whole: { work: () => PARSE[kind](text), times: 60 },
    },
    { rounds: 15, warmUps: 4 },
  );
  const ratios = ratiosOf(rounds.whole, rounds.json);
  worst = Math.max(worst, median(ratios));
  console.log(
    `${kind.padEnd(28)} ${(text.length / 1024).toFixed(0)} Ki characters: JSON.parse ${medians.json.toFixed(3)} ms, ` +
      `with reading ${medians.whole.toFixed(3)} ms, ratio ${median(ratios).toFixed(2)} (rounds ${spreadOf(ratios)})`,
  );
}
report('menu-client/parse', { ratio: worst, bar: 4, want: 'at most' });
