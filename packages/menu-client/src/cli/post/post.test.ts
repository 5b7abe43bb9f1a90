import { expect, test } from 'vitest';
import type { DailyMenu } from '../../domain/daily-menu.ts';
import type { Menu } from '../../domain/menu.ts';
import { renderRestaurants } from '../render.ts';
import { dayMessage } from './day-message.ts';
import { type PostService, postBody } from './post-services.ts';
import { parseWebhookUrl } from './post-to-webhook.ts';

const NOON_MS = Date.parse('2026-11-20T12:00:00+09:00');
const menu = (name: string, more: Partial<Menu> = {}): Menu => ({
  id: name,
  name,
  serving: 'take-in',
  soldOut: false,
  components: [],
  ...more,
});
const day = (...meals: readonly (readonly Menu[])[]): DailyMenu => ({
  restaurant: { vendor: 'welstory', id: 'R 1', name: '강남 식당', location: ['서울', '강남'] },
  date: '2026-11-20',
  periods: meals.map((menus, index) => ({
    code: String(index + 1),
    label: ['조식', '중식', '석식'][index] ?? '',
    status: menus.length === 0 ? 'empty' : 'ok',
    menus,
  })),
});

test('a message has the meals to come first, those that are over last, and what is sold out or taken away', () => {
  const message = dayMessage(
    day(
      [menu('토스트')],
      [
        menu('비빔밥', { corner: '한식', nutrition: { caloriesKcal: 612.4 } }),
        menu('김밥', { serving: 'take-out', soldOut: true }),
      ],
      [],
    ),
    NOON_MS,
  );
  expect([message?.title, ...(message?.lines ?? [])]).toEqual([
    '강남 식당 (서울) 11월 20일 (금) 메뉴',
    '[중식]',
    '• [한식] 비빔밥 · 612 kcal',
    '• 김밥 · 포장 · 품절',
    '[조식]',
    '• 토스트',
  ]);
});

test('what an operator writes begins no line, turns no text around and calls nobody', () => {
  const name = 'a\n<!channel> & @everyone \u202e*b* <https://evil.example|c>';
  const message = dayMessage(day([], [menu(name)]), NOON_MS);
  expect(message?.lines).toHaveLength(2);
  expect(message?.lines.join('')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  const bodyOf = (service: PostService) =>
    JSON.parse(postBody(service, message ?? { title: '', lines: [], data: undefined })) as {
      readonly text: string;
      readonly content: string;
    };
  expect(bodyOf('slack').text).toContain('&lt;!channel&gt; &amp; @everyone');
  expect(bodyOf('slack').text).not.toMatch(/[<>]/);
  expect(bodyOf('discord')).toMatchObject({
    content: expect.stringContaining(String.raw`\*b\* <https://evil.example\|c\>`),
    allowed_mentions: { parse: [] },
  });
});

test.each([
  ['slack', 3_000],
  ['discord', 2_000],
  ['kakaowork', 500],
  ['webhook', 10_000],
] as const)(
  'a text for %s has at most %i characters, and says how many lines were left out',
  (service, most) => {
    const lines = Array.from({ length: 400 }, (_, index) => `• 메뉴 ${index} ${'가'.repeat(30)}`);
    const body = JSON.parse(postBody(service, { title: '제목', lines, data: undefined })) as {
      readonly text?: string;
      readonly content?: string;
    };
    const shown = (body.text ?? body.content ?? '').split('\n');
    const kept = shown.length - 2;
    expect(shown.join('\n').length).toBeLessThanOrEqual(most);
    expect(shown.join('\n').length).toBeGreaterThan(most - 50);
    expect(shown.at(-1)).toBe(`… 외 ${lines.length - kept}`);
  },
);

test('a webhook is an https URL, or an http one of this computer', () => {
  for (const url of ['https://example.org/x', 'http://localhost:1/x', 'http://127.0.0.1/x', 'http://[::1]/x'])
    expect(parseWebhookUrl(` ${url}\n`).href).toBe(url);
  for (const url of ['http://example.org/x', 'http://localhost.example.org/x', 'ftp://localhost/x', 'x'])
    expect(() => parseWebhookUrl(url)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
});

test('columns of a table stand below each other, though Korean letters are twice as wide', () => {
  const location = ['서울'];
  const table = renderRestaurants([
    { vendor: 'welstory', id: '1', name: '식당', location },
    { vendor: 'shinsegae', id: 'CAF1', name: 'abcdef', location },
  ]);
  expect(table.split('\n')).toEqual([
    'OPERATOR   ID    NAME    LOCATION',
    'welstory   1     식당    서울',
    'shinsegae  CAF1  abcdef  서울',
  ]);
});
