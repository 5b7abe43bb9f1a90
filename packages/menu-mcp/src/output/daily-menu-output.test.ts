import type { DailyMenu } from 'menu-client';
import { expect, test } from 'vitest';
import { dailyMenuOutputSchema, toDailyMenuOutput } from './daily-menu-output.ts';

const DAY: DailyMenu = {
  restaurant: {
    vendor: 'shinsegae',
    id: 'CAF1, CAF2',
    name: '사내식당',
    nameEn: 'Cafeteria',
    location: ['서울', '본사'],
  },
  date: '2026-11-18',
  periods: [
    {
      code: '2',
      label: '중식',
      status: 'ok',
      fetchedAt: '2026-11-18T01:00:00.000Z',
      firstSeenAt: '2026-11-17T01:00:00.000Z',
      changes: [
        { kind: 'added', menuId: 'IT1-1', name: '제육볶음', at: '2026-11-18T00:00:00.000Z' },
        { kind: 'sold-out', menuId: 'IT1-1', name: '제육볶음', at: '2026-11-18T04:00:00.000Z' },
      ],
      menus: [
        {
          id: 'IT1-1',
          name: '제육볶음',
          corner: 'A',
          serving: 'take-in',
          soldOut: true,
          components: [
            { name: '제육볶음', main: true },
            { name: '쌀밥', main: false },
          ],
          nutrition: { caloriesKcal: 812 },
          photo: { url: 'https://m.planeatchoice.net/a.png' },
        },
      ],
    },
    {
      code: '1',
      label: '조식',
      status: 'ok',
      fetchedAt: '2026-11-18T01:00:00.000Z',
      menus: [
        {
          id: 'BB',
          name: '샌드위치',
          serving: 'take-out',
          soldOut: false,
          components: [],
          bundle: {
            status: 'ok',
            items: [{ id: '샐러드', name: '샐러드', nutrition: { caloriesKcal: 245 } }],
            fetchedAt: '2026-11-18T01:00:00.000Z',
          },
        },
      ],
    },
    {
      code: '3',
      label: '석식',
      status: 'failed',
      menus: [],
      error: { code: 'operator_timeout', retryable: true },
    },
    { code: '4', label: '야식', status: 'empty', menus: [], fetchedAt: '2026-11-18T01:00:00.000Z' },
  ],
};

test('a day has everything that the service knows about it', () => {
  expect(
    toDailyMenuOutput(DAY, ({ id }, date) => `https://example.com/${encodeURIComponent(id)}/${date}`),
  ).toMatchObject({
    restaurant: {
      vendor: 'shinsegae',
      id: 'CAF1, CAF2',
      url: 'https://example.com/CAF1%2C%20CAF2/2026-11-18',
    },
    date: '2026-11-18',
    periods: [
      {
        status: 'ok',
        menus: [
          {
            name: '제육볶음',
            corner: 'A',
            serving: 'take-in',
            soldOut: true,
            dishes: ['제육볶음', '쌀밥'],
            nutrition: { caloriesKcal: 812 },
            photoUrl: 'https://m.planeatchoice.net/a.png',
          },
        ],
        changes: [
          { kind: 'sold-out', name: '제육볶음', at: '2026-11-18T04:00:00.000Z' },
          { kind: 'added', name: '제육볶음', at: '2026-11-18T00:00:00.000Z' },
        ],
      },
      {
        menus: [
          {
            name: '샌드위치',
            bundle: { status: 'ok', items: [{ name: '샐러드', nutrition: { caloriesKcal: 245 } }] },
          },
        ],
      },
      { status: 'failed', menus: [], error: { code: 'operator_timeout', retryable: true } },
      { status: 'empty', menus: [] },
    ],
    allergens: 'unknown',
  });
});

test('the output matches the schema that clients see', () => {
  const output = toDailyMenuOutput(DAY);
  expect(dailyMenuOutputSchema.parse(output)).toEqual(output);
});
