import type { MealPeriod, Menu, Restaurant } from 'menu-client';
import { expect, test } from 'vitest';
import { samplePage as page } from '../../test/support/sample-page.ts';
import type { ChatAnswer } from './chat-answer.ts';
import { kakaoAnswer } from './kakao-skill.ts';
import { slackAnswer } from './slack-command.ts';

const restaurant: Restaurant = { vendor: 'welstory', id: 'R5', name: '1식당', location: [] };
const menu = (name: string, id = name): Menu => ({
  id,
  name,
  serving: 'take-in',
  soldOut: false,
  components: [],
});
const meal = (code: string, menus: readonly Menu[], more: Partial<MealPeriod> = {}): MealPeriod => ({
  code,
  label: code,
  status: 'ok',
  menus,
  ...more,
});

function answerOf(periods: readonly MealPeriod[], date = '2026-11-20', takeout = false): ChatAnswer {
  const [period] = periods;
  const known = { next: undefined, others: [], incomplete: [] } as const;
  return { kind: 'day', restaurant, date, period, periods, takeout, ...known };
}

interface Skill {
  readonly template: {
    readonly outputs: readonly {
      readonly simpleText?: { readonly text: string };
      readonly carousel?: {
        readonly items: readonly { readonly title: string; readonly description: string }[];
      };
    }[];
    readonly quickReplies?: readonly { readonly messageText: string }[];
  };
}
const kakao = (answer: ChatAnswer) => (kakaoAnswer(page, answer) as Skill).template;

const rice = (count: number): string => '밥'.repeat(count);

test.each([
  ['a title at its limit', rice(50), rice(50)],
  ['one that is longer', rice(51), `${rice(49)}…`],
  ['one that would end within a character', `${rice(48)}🍚${rice(5)}`, `${rice(48)}…`],
])('a card of KakaoTalk has %s in full or cut between characters', (_case, name, title) => {
  const [, shown] = kakao(answerOf([meal('2', [menu(name)])])).outputs;
  expect(shown?.carousel?.items.map((card) => card.title)).toEqual([title]);
});

test('a quick reply about another day than today names the day', () => {
  const messages = (date: string): readonly string[] =>
    (kakao(answerOf([meal('2', [menu('국수')]), meal('3', [])], date)).quickReplies ?? []).map(
      ({ messageText }) => messageText,
    );
  expect(messages('2026-11-20')[0]).toMatch(/^R5 \S+$/);
  expect(messages('2026-11-21')[0]).toMatch(/^R5 2026-11-21 \S+$/);
});

test.each([
  [10, 0],
  [11, 1],
  [13, 3],
])('of %i menus an answer shows ten, and says that there are %i more', (count, rest) => {
  const menus = Array.from({ length: count }, (_, at) => menu('국수', String(at)));
  const answer = answerOf([meal('2', menus)]);
  const [said, shown] = kakao(answer).outputs;
  expect(shown?.carousel?.items).toHaveLength(10);
  for (const text of [said?.simpleText?.text ?? '', JSON.stringify(slackAnswer(page, answer))]) {
    const told = [1, 2, 3].filter((more) => text.includes(page.text.chat.more(more)));
    expect(told).toEqual(rest === 0 ? [] : [rest]);
  }
});

test('what an operator calls a meal of its own is no markup of Slack where the meal could not be read', () => {
  const answer = answerOf([meal('B7', [], { label: '<!channel> *새참*', status: 'failed' })]);
  const { blocks } = slackAnswer(page, answer) as {
    readonly blocks: readonly { readonly type: string; readonly text?: { readonly text: string } }[];
  };
  const note = blocks.find(({ type }) => type === 'section')?.text?.text ?? '';
  expect(note).toContain('&lt;!channel&gt;');
  expect(note).not.toMatch(/<|(?<!\u200b)\*/);
});

test('an item of a bundle comes without the other dishes of it', () => {
  const bundle: Menu = {
    ...menu('샌드위치 세트'),
    serving: 'take-out',
    components: [
      { name: '햄샌드위치', main: true },
      { name: '우유', main: false },
    ],
    bundle: { status: 'ok', items: [{ id: '햄샌드위치', name: '햄샌드위치' }] },
  };
  const [, shown] = kakao(answerOf([meal('2', [bundle])])).outputs;
  expect(shown?.carousel?.items).toMatchObject([{ title: '햄샌드위치', description: page.text.takeout }]);
});

test('that nothing is taken out is said of a meal that was read, and of no other', () => {
  const said = (status: MealPeriod['status']): string =>
    kakao(answerOf([meal('2', [], { status })], '2026-11-20', true)).outputs[0]?.simpleText?.text ?? '';
  for (const status of ['ok', 'stale'] as const)
    expect(said(status), status).toContain(page.text.takeoutNone);
  for (const status of ['failed', 'loading', 'empty'] as const)
    expect(said(status), status).not.toContain(page.text.takeoutNone);
});
