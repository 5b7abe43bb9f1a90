import { expect, test } from 'vitest';
import { isDrink } from './is-drink.ts';
import { parsePicks } from './picks.ts';
import { takeoutMarks } from './takeout-marks.ts';

test.each([
  ['[3Coin] 야채김밥', { name: '야채김밥', coins: { min: 3, max: 3 } }],
  ['[1~2Coin] 두유', { name: '두유', coins: { min: 1, max: 2 } }],
  ['[ 1 - 2 coin ]김밥', { name: '김밥', coins: { min: 1, max: 2 } }],
  ['컵과일(5)', { name: '컵과일', pieces: 5 }],
  ['샐러드 1~4 pick', { name: '샐러드', picks: { min: 1, max: 4 } }],
  ['두유 2픽', { name: '두유', picks: { min: 2, max: 2 } }],
  ['T/O 우유', { name: '우유' }],
  ['죽(전복)', { name: '죽(전복)' }],
  ['[2Coin]', { name: '[2Coin]', coins: { min: 2, max: 2 } }],
])('the marks of %s are read', (name, marks) => {
  expect(takeoutMarks(name)).toEqual(marks);
});

test('drinks are told from what has their name in it', () => {
  const names = [
    '두유',
    '착즙오렌지주스',
    '아메리카노(ICE)',
    '프로틴쉐이크',
    '생수 500ml',
    '바나나우유(200ml)',
  ];
  expect(names.filter((name) => !isDrink(name))).toEqual(['아메리카노(ICE)']);
  expect(['우유식빵', '커피번', '그릭요거트볼', '시리얼컵', '김밥'].filter(isDrink)).toEqual([]);
});

test('a pick that is named more than once is taken as often, nine times at most', () => {
  expect([...parsePicks(['2.a', '2.b', '2.a'])]).toEqual([
    ['2.a', 2],
    ['2.b', 1],
  ]);
  expect(parsePicks(Array.from({ length: 12 }, () => '2.a')).get('2.a')).toBe(9);
});
