import { expect, test } from 'vitest';
import { choosableDates, chosenParameters, decodeChosen, encodeChosen, parseChosen } from './chosen-meal.ts';

const TODAY = '2026-11-20';
const present = { date: TODAY, meal: undefined };

test.each([
  ['20261120', undefined, present],
  ['20261121', '3', { date: '2026-11-21', meal: '3' }],
  ['20261126', '1', { date: '2026-11-26', meal: '1' }],
  ['20261127', '1', { date: TODAY, meal: '1' }],
  ['20261119', undefined, present],
  ['20261121', 'now', { date: '2026-11-21', meal: undefined }],
  [undefined, 'x', present],
  ['2026-11-21', undefined, { date: '2026-11-21', meal: undefined }],
  ['내일', '저녁', { date: '2026-11-21', meal: '3' }],
  ['내일점심', undefined, { date: '2026-11-21', meal: '2' }],
  ['내일점심', 'now', { date: '2026-11-21', meal: undefined }],
  ['tomorrow', 'lunch', { date: '2026-11-21', meal: '2' }],
  ['someday', undefined, present],
])('date %j and meal %j', (date, meal, chosen) => {
  expect(parseChosen(date, meal, TODAY)).toEqual(chosen);
});

test('every day and meal that can be chosen is what its address and its cookie say, until midnight', () => {
  for (const date of choosableDates(TODAY)) {
    for (const meal of ['1', '3', undefined] as const) {
      const chosen = { date, meal };
      const { date: inAddress, meal: mealInAddress } = chosenParameters(chosen, TODAY);
      expect(parseChosen(inAddress, mealInAddress, TODAY)).toEqual(chosen);
      expect(decodeChosen(encodeChosen(chosen, TODAY), TODAY)).toEqual(chosen);
      expect(decodeChosen(encodeChosen(chosen, TODAY), '2026-11-21')).toEqual({
        date: '2026-11-21',
        meal: undefined,
      });
    }
  }
});
