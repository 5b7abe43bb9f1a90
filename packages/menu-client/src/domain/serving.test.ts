import { describe, expect, test } from 'vitest';
import { bearsTakeOutMark, classifyServing, type ServingFacts } from './serving.ts';

describe('marks of take-out courses', () => {
  test.each([
    '[1Coin] 샐러드',
    '[1~4Coin] 연어샐러드',
    '[2-3 coin]도시락',
    '［１Coin］샐러드',
    '착즙주스 2 pick',
    '2pick 주스',
    '음료 1~2 PICK',
    '소불고기김밥 4픽',
    '간식 1~3픽',
    'T/O 샌드위치',
    '샌드위치(t/o)',
    '코인샐러드',
    '사이드 견과믹스',
    '과일컵(5)',
    '샐러드 외 3종',
    '샐러드 외3종 ',
  ])('%s', (name) => {
    expect(bearsTakeOutMark(name)).toBe(true);
  });

  test.each([
    '제육볶음',
    '샐러드 [1Coin]',
    '[Coin] 샐러드',
    '2picks 샐러드',
    '12픽업 도시락',
    'NOT/OK',
    'T/OX',
    '과일컵(5개)',
    '외 3종 샐러드',
    '해외 3종류',
  ])('not %s', (name) => {
    expect(bearsTakeOutMark(name)).toBe(false);
  });
});

describe('classification', () => {
  const facts: ServingFacts = {
    name: '제육볶음',
    components: Array.from({ length: 10 }, (_, index) => ({ name: ['제육볶음', '쌀밥'][index % 2] ?? '' })),
    caloriesKcal: 3000,
    declaredTakeOut: false,
    dishMarksCount: true,
  };

  test('a course at every limit is eaten in', () => {
    expect(classifyServing(facts)).toBe('take-in');
    expect(classifyServing({ ...facts, caloriesKcal: undefined })).toBe('take-in');
    const marked = { ...facts, components: [{ name: '사이드 견과' }], dishMarksCount: false };
    expect(classifyServing(marked)).toBe('take-in');
  });

  test.each<[string, Partial<ServingFacts>]>([
    ['declared by the operator', { declaredTakeOut: true }],
    ['more than 10 components', { components: Array.from({ length: 11 }, () => ({ name: '쌀밥' })) }],
    ['more than 3,000 kcal', { caloriesKcal: 3000.1 }],
    ['a mark in its own name', { name: '제육덮밥 외 2종' }],
    ['a mark in a dish', { components: [{ name: '제육볶음' }, { name: '사이드 견과' }] }],
  ])('take-out: %s', (_reason, change) => {
    expect(classifyServing({ ...facts, ...change })).toBe('take-out');
  });
});
