import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseFavourites } from '../src/answers/http/favourites.ts';
import type { ChatAnswer } from '../src/chat/chat-answer.ts';
import { parseQuestion } from '../src/chat/chat-question.ts';
import { kakaoAnswer } from '../src/chat/kakao-skill.ts';
import { isSignedBySlack, slackAnswer } from '../src/chat/slack-command.ts';
import { parseLook } from '../src/domain/look.ts';
import { PhotoShelf } from '../src/photos/photo-shelf.ts';
import { feedPage } from '../src/render/page-context.ts';
import { renderFeedItems } from '../src/render/rss/menu-feed.ts';
import { settingNotices } from '../src/starting/start-notices.ts';
import { LUNCH_MS, startReadySite } from './support/ready-site.ts';
import { sampleDay, sampleMenu, samplePeriod, sampleRestaurant } from './support/sample-day.ts';

const SOURCES = join(import.meta.dirname, '../src');

let site: Awaited<ReturnType<typeof startReadySite>>;
beforeAll(async () => {
  site = await startReadySite({ chats: { kakaoSkill: 'secret' } });
});
afterAll(() => site[Symbol.asyncDispose]());

const page = () =>
  feedPage({
    origin: 'https://menu.example.org',
    authority: 'localhost',
    nowMs: LUNCH_MS,
    sampleData: false,
    assetUrl: (name) => `/assets/${name}`,
    photos: new PhotoShelf(),
  });

const statusOf = async (path: string): Promise<number> => (await site.ask(path)).status;

const numbered = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** The answer of a chat about a meal of that many menus, with that many other restaurants. */
const answerOf = (menus: number, others = 0, name = '돈까스'): ChatAnswer => {
  const period = samplePeriod({ menus: numbered(menus, (index) => sampleMenu({ id: `M${index}`, name })) });
  const restaurants = numbered(others, (index) => ({
    ...sampleRestaurant,
    id: `R${index}`,
    name: `식당 ${index}`,
  }));
  return {
    kind: 'day',
    restaurant: sampleRestaurant,
    date: '2026-11-20',
    period,
    takeout: false,
    periods: [period],
    next: undefined,
    others: restaurants,
    incomplete: [],
  };
};

interface KakaoTemplate {
  readonly template: {
    readonly outputs: readonly {
      readonly carousel?: {
        readonly items: readonly { readonly title: string; readonly description: string }[];
      };
    }[];
    readonly quickReplies?: readonly unknown[];
  };
}
const kakaoOf = (answer: ChatAnswer) => (kakaoAnswer(page(), answer) as KakaoTemplate).template;
const cardsOf = (answer: ChatAnswer) =>
  kakaoOf(answer).outputs.flatMap(({ carousel }) => carousel?.items ?? []);

const sectionsOf = (menus: number): number =>
  (slackAnswer(page(), answerOf(menus)) as { blocks: readonly { type: string }[] }).blocks.filter(
    ({ type }) => type === 'section',
  ).length;

const isSigned = (ageSeconds: number): boolean => {
  const timestamp = String(LUNCH_MS / 1000 - ageSeconds);
  const signature = `v0=${createHmac('sha256', 'secret').update(`v0:${timestamp}:text=a`).digest('hex')}`;
  return isSignedBySlack('secret', { timestamp, signature, body: 'text=a' }, LUNCH_MS);
};

const alarmOf = (dish: number, restaurants: number): Promise<number> =>
  statusOf(`/alarm.ics?dish=${'a'.repeat(dish)}${'&r=welstory.R%201'.repeat(restaurants)}`);

const postOf = async (bytes: number): Promise<number> => {
  const head = JSON.stringify({ userRequest: { utterance: '강남' }, more: '' });
  const body = head.replace('"more":""', `"more":"${'x'.repeat(bytes - Buffer.byteLength(head))}"`);
  const answer = await site.app.request('/kakao/skill/secret', { method: 'POST', body });
  return answer.status;
};

/** How many names a day of the feed of all has, and what it says of the rest. */
const namesOf = (menus: number) => {
  const period = samplePeriod({
    menus: numbered(menus, (index) => sampleMenu({ id: `M${index}`, name: `음식${index}` })),
  });
  const text = renderFeedItems(page(), [sampleDay({ periods: [period] })], '식당');
  return [text.match(/음식\d+/g)?.length, /\+(\d+)/.exec(text)?.[1]];
};

/** What happens at the limit, what happens one above it, and what both have to be. */
type Bound = readonly [at: () => unknown, above: () => unknown, shown: readonly [unknown, unknown]];

const BOUNDS: Readonly<Record<string, Bound>> = {
  'starting/start-notices.ts MAX_EDITS': [
    () => settingNotices({ MENU_UPSTREAMXY: 'live' }, { upstream: { kind: 'sandbox' } }).length,
    () => settingNotices({ MENU_UPSTREAMXYZ: 'live' }, { upstream: { kind: 'sandbox' } }).length,
    [2, 1],
  ],
  'answers/http/favourites.ts MAX_FAVOURITES': [
    () => parseFavourites(numbered(12, (index) => `welstory.R${index}`).join('~')).length,
    () => parseFavourites(numbered(13, (index) => `welstory.R${index}`).join('~')).length,
    [12, 12],
  ],
  'domain/look.ts MAX_WORDS_LENGTH': [
    () => parseLook({ words: 'a'.repeat(100) }).words.length,
    () => parseLook({ words: 'a'.repeat(101) }).words.length,
    [100, 100],
  ],
  'chat/chat-question.ts MAX_LENGTH': [
    () => parseQuestion(`R5${' '.repeat(196)}저녁`, LUNCH_MS).meal,
    () => parseQuestion(`R5${' '.repeat(197)}저녁`, LUNCH_MS).meal,
    ['3', undefined],
  ],
  'chat/kakao-skill.ts MAX_CARDS': [
    () => cardsOf(answerOf(10)).length,
    () => cardsOf(answerOf(11)).length,
    [10, 10],
  ],
  'chat/kakao-skill.ts MAX_QUICK_REPLIES': [
    // Tomorrow is one of them.
    () => kakaoOf(answerOf(1, 9)).quickReplies?.length,
    () => kakaoOf(answerOf(1, 10)).quickReplies?.length,
    [10, 10],
  ],
  'chat/kakao-skill.ts MAX_TITLE': [
    () => cardsOf(answerOf(1, 0, '가'.repeat(50)))[0]?.title,
    () => cardsOf(answerOf(1, 0, '가'.repeat(51)))[0]?.title,
    ['가'.repeat(50), `${'가'.repeat(49)}…`],
  ],
  'chat/slack-command.ts MAX_MENUS': [() => sectionsOf(10), () => sectionsOf(11), [10, 10]],
  'chat/slack-command.ts MAX_AGE_SECONDS': [
    () => [isSigned(300), isSigned(-300)],
    () => [isSigned(301), isSigned(-301)],
    [
      [true, true],
      [false, false],
    ],
  ],
  'render/rss/feed-html.tsx MAX_NAMES_OF_A_MEAL': [
    () => namesOf(5),
    () => namesOf(6),
    [
      [5, undefined],
      [5, '1'],
    ],
  ],
  'routes/alarms.ts MAX_DISH_LENGTH': [() => alarmOf(100, 1), () => alarmOf(101, 1), [200, 400]],
  'routes/alarms.ts MAX_RESTAURANTS': [() => alarmOf(1, 12), () => alarmOf(1, 13), [200, 400]],
  'routes/home/found.ts MAX_QUERY_LENGTH': [
    () => statusOf(`/?q=${'a'.repeat(100)}`),
    () => statusOf(`/?q=${'a'.repeat(101)}`),
    [200, 400],
  ],
  'routes/chats.ts MAX_BODY_BYTES': [() => postOf(32_768), () => postOf(32_769), [200, 413]],
};

/** Tried elsewhere, or without an edge that anybody sees. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'routes/chats.ts MAX_PHOTOS': 'as many as a chat shows',
  'photos/turns.ts MAX_RUNNING': 'photo-limits.test.ts',
  'photos/turns.ts MAX_WAITING': 'photo-limits.test.ts',
  'photos/photo-proxy.ts MAX_FAILURES': 'what is forgotten is asked for again',
  'photos/photo-proxy.ts MAX_SOURCES': 'what is forgotten is looked at again',
  'photos/photo-shelf.ts MAX_STATES': 'what is forgotten has an address without a version',
  'answers/answer-cache.ts MAX_ASKED_ONCE': 'answer-cache.test.ts beside it',
  'photos/disk-cache.ts MEMORY_MAX_BYTES': 'what is not in memory is fetched again',
  'photos/photo-proxy.ts MAX_PIXELS': 'a picture of 40 million points takes seconds',
  'photos/fetch-photo.ts MAX_REDIRECTS': 'photo-limits.test.ts',
  'domain/day/other-day.ts MAX_DAYS_AHEAD': 'other-day.test.ts beside it',
  'domain/takeout/picks.ts MAX_PICKS': 'a day has fewer menus to pick',
  'domain/takeout/picks.ts MAX_OF_ONE': 'takeout.test.ts beside it',
  'domain/takeout/budget.ts MAX_COINS': 'more coins than anybody has for a meal',
  'routes/search.ts MAX_AGE_MS': 'decides only when the service is asked again',
  'routes/alarms.ts MATCH_LIMIT': 'more than a dish is served at twelve restaurants in a week',
  'routes/home/found.ts PRESENT_LIMIT': 'dishes.test.ts of menu-client tries the limit that is passed on',
  'routes/home/found.ts OWN_LIMIT': 'the same',
  'routes/home/found.ts PLACE_LIMIT': 'the same',
  'routes/home/found.ts RESULT_LIMIT': 'the largest that the service takes',
  'routes/home/first-visit.ts GALLERY_LIMIT': 'gallery.test.ts',
  'chat/chat-answer.ts MAX_OTHERS': 'the limit of a search that is passed on',
  'chat/kakao-skill.ts MAX_DESCRIPTION': 'cut as titles are',
  'starting/start.ts ANSWERS_MAX_BYTES': 'answer-cache.test.ts tries a smaller one',
  'starting/start.ts PHOTOS_MAX_BYTES': 'photo-limits.test.ts tries a smaller one',
};

test.each(Object.entries(BOUNDS))('%s is allowed, one more is not', async (_, [at, above, shown]) => {
  expect([await at(), await above()]).toEqual(shown);
});

const constantsIn = (file: string): readonly (readonly [name: string, value: string])[] =>
  [
    ...readFileSync(join(SOURCES, file), 'utf8').matchAll(
      /^(?:export )?const (\w*MAX_\w+|\w+_LIMIT)\b[^=]*= ([^;]+);/gm,
    ),
  ].map(([, name = '', value = '']) => [name, value]);

test('each limit in the sources is tried', () => {
  const found = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
    .flatMap((file) => constantsIn(file).map(([name]) => `${file.replaceAll('\\', '/')} ${name}`));
  expect(found.sort()).toEqual([...Object.keys(BOUNDS), ...Object.keys(ELSEWHERE)].sort());
});

test('limits that have to be the same are', () => {
  const valueOf = (file: string, wanted: string) => constantsIn(file).find(([name]) => name === wanted)?.[1];
  const most = valueOf('routes/alarms.ts', 'MAX_RESTAURANTS');
  // All of somebody's restaurants fit into one alarm.
  expect(valueOf('answers/http/favourites.ts', 'MAX_FAVOURITES')).toBe(most);
});
