import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Restaurant, Vendor } from '../domain/restaurant.ts';
import { RestaurantIndex } from './restaurant-index.ts';

function restaurant(name: string, vendor: Vendor = 'welstory', location: readonly string[] = []): Restaurant {
  return { vendor, id: `${vendor}:${name}`, name, location };
}

async function found(
  restaurants: readonly Restaurant[],
  query: string,
  limit = 50,
): Promise<readonly string[]> {
  const index = await RestaurantIndex.build(restaurants);
  return index.search(query, limit).map(({ name }) => name);
}

describe('ranking', () => {
  test('exact, prefix, contains, initial consonants, one typo', async () => {
    const ranked = ['ㄱㄴ', 'ㄱㄴ식당', '제1ㄱㄴ', '강남'].map((name) => restaurant(name));
    expect(await found(ranked.toReversed(), 'ㄱㄴ')).toEqual(ranked.map(({ name }) => name));
    const withTypo = ['강남', '강남점', '서울강남', '강냠'].map((name) => restaurant(name));
    expect(await found(withTypo.toReversed(), '강남')).toEqual(['강남', '강남점', '서울강남', '강냠']);
  });

  test('ties: welstory first, then Korean collation', async () => {
    const tied = [
      restaurant('식당 하', 'shinsegae'),
      restaurant('식당 가', 'shinsegae'),
      restaurant('식당 나'),
      restaurant('식당 A'),
      restaurant('식당 가'),
    ];
    expect(
      (await RestaurantIndex.build(tied)).search('식당', 50).map(({ vendor, name }) => `${vendor} ${name}`),
    ).toEqual([
      'welstory 식당 가',
      'welstory 식당 나',
      'welstory 식당 A',
      'shinsegae 식당 가',
      'shinsegae 식당 하',
    ]);
  });

  test('a name of several words is exact when the query is the whole of it', async () => {
    const restaurants = ['강남 R5 식당', '강남 R5', '별관 강남 R5'].map((name) => restaurant(name));
    expect(await found(restaurants, '강남 r5')).toEqual(['강남 R5', '강남 R5 식당', '별관 강남 R5']);
  });
});

describe('matching', () => {
  const place = restaurant('1식당', 'welstory', ['한빛전자', '수원사업장', 'R5']);

  test.each([
    '수원',
    'r5',
    'Ｒ５',
    '한빛 1식당',
    '1식당 수원',
    'ㅅㅇ',
    '수ㅇ',
    '수원사업쟝',
    '한빗전자',
    '한전빛자',
    'R5 1식당 한빛전자',
    'R5, 1식당',
    'R5，1식당,',
    '웰스토리 수원',
    'Welstory',
    'tndnjs r5',
  ])('%s', async (query) => {
    expect(await found([place], query)).toEqual(['1식당']);
  });

  test.each([
    '구미',
    '수원 구미',
    'REST',
    'shinsegae',
    'e',
    '수원,구미',
    'ㅅㄴ',
    '수ㄴ',
    '시ㅇ',
    'R6',
    'ㅘㅇ',
    '수원 ㅗㅗㅏㅇ',
    'hotel',
    '한밧즌자',
    ' ',
    '',
  ])('not %j', async (query) => {
    expect(await found([place], query)).toEqual([]);
  });

  test('every token must match: the typo of one does not excuse the other', async () => {
    expect(await found([place], '수원사업쟝 없는말')).toEqual([]);
  });

  test('folds composed and decomposed Hangul, case and full width alike', async () => {
    expect(await found([restaurant('CAFÉ 강남'.normalize('NFD'))], 'café 강남')).toHaveLength(1);
    expect(await found([restaurant('Straße')], 'STRASSE')).toHaveLength(1);
  });

  test('typed consonants that a keyboard joins are told apart', async () => {
    expect(await found([restaurant('감사식당')], 'ㄳ')).toEqual(['감사식당']);
  });

  test('words may be written together', async () => {
    expect(await found([restaurant('강남 사원 식당')], '사원식당')).toEqual(['강남 사원 식당']);
  });

  test('the English name counts', async () => {
    expect(await found([{ ...place, nameEn: 'Suwon Hall' }], 'suwon', 5)).toHaveLength(1);
  });
});

describe('ids, operators and keyboards', () => {
  const cafe = { ...restaurant('CAFE 1'), id: 'CAFE1' };
  const other = { ...restaurant('CAFA 하나'), id: 'CAF12' };
  const both = { ...restaurant('본관', 'shinsegae'), id: 'CAF35, CAF36' };
  const named = { ...restaurant('CAF1'), id: 'X' };
  const one = { ...restaurant('강남', 'shinsegae'), id: 'CAF1' };
  const all = [cafe, other, both, named, one];

  test('an id typed whole comes first, and nothing by a typo of it', async () => {
    expect(await found(all, 'caf1')).toEqual(['강남', 'CAF1']);
    expect(await found(all, 'CAF35, CAF36')).toEqual(['본관']);
    expect(await found(all, 'CAF35,CAF36')).toEqual(['본관']);
    expect(await found(all, 'CAF9')).toEqual([]);
  });

  test("an operator's name finds its restaurants, after those that have the word themselves", async () => {
    const own = restaurant('신세계 본점');
    expect(await found([...all, own], '신세계')).toEqual(['신세계 본점', '강남', '본관']);
    expect(await found(all, 'shinsegae 강남')).toEqual(['강남']);
    const ranked = ['제1강남', '강남'].map((name) => restaurant(name));
    expect(await found(ranked, '강남 삼성웰스토리')).toEqual(['강남', '제1강남']);
  });

  test('Latin letters are Hangul of another keyboard only where nothing has them', async () => {
    expect(await found(all, 'rkdska')).toEqual(['강남']);
    expect(await found(all, 'RKDSKA')).toEqual(['강남']);
    expect(await found(all, 'rs')).toEqual(['강남']);
    expect(await found([...all, restaurant('rkdska')], 'rkdska')).toEqual(['rkdska']);
    expect(await found([restaurant('깜박 식당')], 'Rkaqkr')).toEqual(['깜박 식당']);
  });
});

describe('what people mean', () => {
  const gangnam = restaurant('R5 1식당', 'welstory', ['서울 강남구', '강남사옥']);
  const pangyo = restaurant('푸드홀', 'welstory', ['경기 성남시', '판교캠퍼스']);
  const all = [gangnam, pangyo];

  test.each([
    ['강남 구내식당', '1식당'],
    ['강남역', '1식당'],
    ['강남역에서', '1식당'],
    ['강남 뭐 먹지?', '1식당'],
    ['강남 내일점심 메뉴', '1식당'],
    ['R5 점심', '1식당'],
    ['R5점심', '1식당'],
    ['cafeteria near 강남', '1식당'],
    ['강남-R5', '1식당'],
    ['Gangnam', '1식당'],
    ['kangnam station', '1식당'],
    ['Pangyo', '푸드홀'],
    ['pang', '푸드홀'],
    ['Seongnam cafeteria', '푸드홀'],
    ['판교에서 11/28 저녁', '푸드홀'],
    ['강남에 있는 구내식당', '1식당'],
    ['저기 혹시 R5 오늘 점심 메뉴 좀 알려주실 수 있을까요?', '1식당'],
    ['R5 점심 메뉴가 뭔지 궁금합니다', '1식당'],
    ['점심으로 판교에서 먹을만한거', '푸드홀'],
    ['판교인데요', '푸드홀'],
    ['판교ㅋㅋ', '푸드홀'],
    ['음 판교 가까운 데 있어요?', '푸드홀'],
    ['R5 lunch plz', '1식당'],
    ['is there anything good in gangnam right now', '1식당'],
    ['Sungnam', '푸드홀'],
    ['R5 제1식당', '1식당'],
    ['강남1식당', '1식당'],
    ['강남R51식당에서', '1식당'],
    ['성남캠퍼스 푸드홀', '푸드홀'],
    ['판교푸드홀점심', '푸드홀'],
    ['R5 오늘 휴무야?', '1식당'],
    ['R5 점심으로 뭐가 좋을까', '1식당'],
    ['R5 몇시까지 해요', '1식당'],
    ['판교 근처에 있는 사내식당 목록', '푸드홀'],
    ['R5 this week', '1식당'],
    ['rkdskadur wjatla', '1식당'],
  ])('%j', async (query, name) => {
    expect((await found(all, query)).map((each) => each.split(' ').at(-1))).toEqual([name]);
  });

  test('a place in Latin letters is found where it has an English name and where it has none', async () => {
    const english = { ...restaurant('사내식당', 'shinsegae', ['노을게임즈']), nameEn: 'Noeul Pangyo' };
    expect(await found([english, pangyo, gangnam], 'Pangyo')).toEqual(['푸드홀', '사내식당']);
  });

  test('a word is cut where one restaurant has its parts', async () => {
    const hq = restaurant('푸드홀', 'welstory', ['별하 강남본사', '별관1식당']);
    const office = restaurant('본관 1식당', 'welstory', ['누리소프트', '강남사옥']);
    expect(await found([hq, office], '누리소프트강남본관1식당')).toEqual(['본관 1식당']);
  });

  test.each([
    '강남 판교',
    'Pangyo 강남',
    '구내식당',
    '도움말',
    '점심',
    'an',
    'pangyeon',
    '강남푸드홀',
    '판교구미',
    '판교가'.repeat(40),
  ])('not %j', async (query) => {
    expect(await found(all, query)).toEqual([]);
  });

  test('words that say nothing count where something has them', async () => {
    const named = restaurant('강남 구내식당');
    expect(await found([...all, named], '강남 구내식당')).toEqual(['강남 구내식당']);
    expect(await found([...all, restaurant('강남역점')], '강남역')).toEqual(['강남역점']);
  });

  test.each([
    'Ｒ５　１식당',
    'R5​ 1식당',
    '﻿R5 1­식당',
    'R5 1식당'.normalize('NFD'),
    'R5 1식당'.normalize('NFD').split('').join('\u200b'),
    'R5 1식\u3164당',
    'R5 1식\uffa0당',
    '“R5” 1식당!',
    'R5·1식당',
    'r5 1ㅅㅣㄱㄷㅏㅇ',
    'R5 1ㅅㄷ',
    'R5 1ᄉᄃ',
    'r5 1tlrekd',
  ])('%j is written like the name', async (query) => {
    expect(await found(all, query)).toEqual(['R5 1식당']);
  });
});

test('answers at most the limit, the best of all', async () => {
  const restaurants = Array.from({ length: 60 }, (_, index) => restaurant(`식당 ${index}`));
  expect((await found([...restaurants, restaurant('식당')], '식당', 3))[0]).toBe('식당');
  expect(await found(restaurants, '식당', 3)).toHaveLength(3);
});

const syllable = fc.constantFrom('강', '남', '식', '당', 'R', '5', ' ', 'ㄱ');
const name = fc.string({ unit: syllable, minLength: 1, maxLength: 6 }).filter((text) => text.trim() !== '');

test('everything that contains every token is found, before what does not', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(name, { maxLength: 12 }), name, async (names, query) => {
      const restaurants = [...new Set(names)].map((text) => restaurant(text));
      const tokens = query.toLowerCase().trim().split(/\s+/);
      const contains = (text: string) =>
        tokens.every((token) => text.toLowerCase().replaceAll(' ', '').includes(token));
      const result = await found(restaurants, query);
      const expected = restaurants.filter((item) => contains(item.name)).map((item) => item.name);
      expect(new Set(result.slice(0, expected.length))).toEqual(new Set(expected));
    }),
  );
});

// Long names of any characters make large indexes: on a busy machine this takes seconds.
test('no query and no name breaks it', { timeout: 60_000 }, async () => {
  const keys = fc.constantFrom(...'hknlmopdrtㅗㅏㅐㅜㅔㅡㅣㅇㄱㄴ'.split(''));
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.string({ unit: keys, minLength: 2, maxLength: 6 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 5 }), text, async (names, query) => {
      const restaurants = names.map((item) => restaurant(item));
      const index = await RestaurantIndex.build(restaurants);
      for (const item of index.search(query, 50)) expect(restaurants).toContain(item);
    }),
  );
});

test('one index gives each query the answer of a new one, after any other queries and with any limit', async () => {
  const asked = fc.record({ query: name, limit: fc.integer({ min: 1, max: 4 }) });
  await fc.assert(
    fc.asyncProperty(
      fc.array(name, { maxLength: 8 }),
      fc.array(asked, { maxLength: 12 }),
      async (names, queries) => {
        const restaurants = [...new Set(names)].map((text) => restaurant(text));
        const index = await RestaurantIndex.build(restaurants);
        for (const { query, limit } of queries) {
          const result = index.search(query, limit).map((item) => item.name);
          expect(result).toEqual(await found(restaurants, query, limit));
        }
      },
    ),
  );
});
