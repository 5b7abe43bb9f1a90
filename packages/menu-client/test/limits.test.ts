import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exceedsOneServing } from '../src/domain/serving.ts';
import { statusError } from '../src/http/answer-error.ts';
import { saysMaintenance } from '../src/http/maintenance-notice.ts';
import { sendRequest } from '../src/http/send-request.ts';
import { text } from '../src/operator/lenient.ts';
import { readMealRows } from '../src/operator/meal-code.ts';
import { spellingsOf } from '../src/search/dish-spellings.ts';
import { parseQuery } from '../src/search/query-words.ts';
import { RomanWords } from '../src/search/roman-words.ts';
import { spell, typosOf } from '../src/search/typos.ts';
import { wordsWithin } from '../src/search/words-within.ts';
import { parseTree } from '../src/shinsegae/parse-tree.ts';
import { openSqliteMenuStore } from '../src/store/sqlite-menu-store.ts';

const SOURCES = join(import.meta.dirname, '../src');

/** What happens at a limit, and what happens one above. */
interface Limit {
  readonly at: () => unknown;
  readonly above: () => unknown;
  readonly shown: readonly [at: unknown, above: unknown];
}

const limit = (at: () => unknown, above: () => unknown, ...shown: Limit['shown']): Limit => ({
  at,
  above,
  shown,
});

const mealsOf = (count: number) => {
  const rows = Array.from({ length: count }, (_, index) => ({ code: `M${index}`, label: 'meal' }));
  const { value, droppedRows } = readMealRows(
    'welstory',
    rows,
    (row) => row as { code: string; label: string },
  );
  return [value.length, droppedRows];
};

const romanWords = (...words: readonly string[]): RomanWords => {
  const work = RomanWords.of([words]);
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
};
/** Words that begin with the same sounds and differ in their second syllable. */
const initialled = (count: number): readonly string[] =>
  '가나다마바사아자차'
    .slice(0, count)
    .split('')
    .map((syllable) => `간${syllable}`);

/** Whether a notice of so many characters is read. */
const isNotice = (length: number) =>
  saysMaintenance({ status: 200, headers: new Headers(), body: '점검'.padEnd(length), isUtf8: true });

/** The wait that an operator asks for, as it is believed. */
const waitOf = (seconds: number) =>
  statusError('welstory', { status: 503, headers: new Headers({ 'retry-after': String(seconds) }) }, 0)
    ?.retryAfterMs;

const statusAfter = async (redirects: number) => {
  let left = redirects;
  const fetch = async () => {
    left -= 1;
    return left < 0
      ? new Response('{}')
      : new Response(null, { status: 302, headers: { location: '/next' } });
  };
  const options = { vendor: 'welstory', fetch, timeoutMs: 60_000, maxBytes: 100 } as const;
  return (await sendRequest('http://operator.example/first', { headers: {} }, options)).status;
};

const isFound = (word: string, asked: string): boolean => typosOf(asked)?.(spell(word)) ?? false;

/** As many letters as are told, all in one word, and the same with the last one changed. */
const letters = (count: number) => 'abcdefghijklmnopqrstuvwxyz0123456789'.repeat(2).slice(0, count);
const withTypo = (word: string) => `${word.slice(0, -1)}_`.replace('_', 'z');

/** How many restaurants are found, and how many rows dropped, with one that many levels down. */
const storesAt = (depth: number) => {
  const store = { type: 'STOR', title: { ko: '식당' }, data: { busiCd: 'B', compCd: 'C', storCd: 'S' } };
  let tree: object = store;
  for (let level = 0; level < depth; level += 1)
    tree = { type: 'ORG', title: { ko: `층 ${level}` }, children: [tree] };
  const { value, droppedRows } = parseTree([tree]);
  return [value.length, droppedRows];
};

/** What a database has counted after these. */
const interestAfter = async (...counts: readonly number[]) => {
  await using store = await openSqliteMenuStore(':memory:');
  const key = { vendor: 'welstory', restaurantId: 'R1', date: '2026-11-18' } as const;
  for (const count of counts) await store.addInterest([{ ...key, count }]);
  return (await store.readInterest('welstory', key.date))[0]?.count;
};

const dishes = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `반찬 ${index}` }));

/** How many parts a word of two parts is cut into, of so many letters. */
const partsOf = (length: number) =>
  wordsWithin('다'.repeat(10).padEnd(length, '나'), {
    has: (token) => /^(?:다+|나+)$/.test(token),
    hasAll: () => true,
  })?.length;

/** Whether a word is cut in the way that comes after so many others, the first of which leaves it whole. */
const isCutAfter = (others: number) => {
  let left = others;
  const hasAll = () => {
    left -= 1;
    return left === 0;
  };
  return wordsWithin('나'.repeat(12), { has: () => true, hasAll }) !== undefined;
};

const LIMITS: Readonly<Record<string, Limit>> = {
  'search/dish-spellings.ts MAX_REPLACED': limit(
    () => spellingsOf('자장찌개').includes('짜장찌게'),
    () => spellingsOf('자장찌개카레').includes('짜장찌게커리'),
    true,
    false,
  ),
  'search/words-within.ts MAX_LENGTH': limit(
    () => partsOf(30),
    () => partsOf(31),
    2,
    undefined,
  ),
  'search/words-within.ts MAX_CUTS': limit(
    () => isCutAfter(15),
    () => isCutAfter(16),
    true,
    false,
  ),
  'operator/lenient.ts MAX_TEXT_LENGTH': limit(
    () => text('가'.repeat(500))?.length,
    () => text('가'.repeat(501))?.length,
    500,
    500,
  ),
  'operator/meal-code.ts MAX_MEALS': limit(
    () => mealsOf(12),
    () => mealsOf(13),
    [12, 0],
    [12, 1],
  ),
  'http/maintenance-notice.ts MAX_LENGTH': limit(
    () => isNotice(65_536),
    () => isNotice(65_537),
    true,
    false,
  ),
  'http/answer-error.ts MAX_RETRY_AFTER_MS': limit(
    () => waitOf(3_599),
    () => waitOf(3_601),
    3_599_000,
    3_600_000,
  ),
  'http/send-request.ts MAX_REDIRECTS': limit(
    () => statusAfter(3),
    () => statusAfter(4),
    200,
    302,
  ),
  'search/typos.ts MAX_LETTERS': limit(
    () => isFound(letters(40), withTypo(letters(40))),
    () => isFound(letters(41), withTypo(letters(41))),
    true,
    false,
  ),
  'search/typos.ts MAX_PART_LENGTH': limit(
    () => isFound(letters(20), withTypo(letters(9).slice(1))),
    () => isFound(letters(20), withTypo(letters(12).slice(1))),
    true,
    false,
  ),
  'search/roman-words.ts MAX_SYLLABLES': limit(
    () => romanWords('가나다라마').same('ganadarama'),
    () => romanWords('가나다라마바').same('ganadaramaba'),
    ['가나다라마'],
    [],
  ),
  'search/roman-words.ts MAX_WORDS': limit(
    () => romanWords(...initialled(8)).begun('gan').length,
    () => romanWords(...initialled(9)).begun('gan').length,
    8,
    8,
  ),
  'search/query-words.ts MAX_WORDS': limit(
    () => parseQuery(Array.from({ length: 16 }, (_, index) => `word${index}`).join(' ')).length,
    () => parseQuery(Array.from({ length: 17 }, (_, index) => `word${index}`).join(' ')).length,
    16,
    16,
  ),
  'shinsegae/parse-tree.ts MAX_DEPTH': limit(
    () => storesAt(16),
    () => storesAt(17),
    [1, 0],
    [0, 1],
  ),
  'store/sql-menu-store.ts MAX_INTEREST': limit(
    () => interestAfter(999_999_999, 1),
    () => interestAfter(1_000_000_000, 1),
    1_000_000_000,
    1_000_000_000,
  ),
  'domain/serving.ts MAX_TAKE_IN_KCAL': limit(
    () => exceedsOneServing({ components: [], caloriesKcal: 3_000 }),
    () => exceedsOneServing({ components: [], caloriesKcal: 3_001 }),
    false,
    true,
  ),
  'domain/serving.ts MAX_TAKE_IN_COMPONENTS': limit(
    () => exceedsOneServing({ components: dishes(10), caloriesKcal: undefined }),
    () => exceedsOneServing({ components: dishes(11), caloriesKcal: undefined }),
    false,
    true,
  ),
};

/** Tried elsewhere, or without an edge that anybody sees. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'cli/post/post-to-webhook.ts MAX_ANSWER_BYTES': 'the rest of an answer says nothing that is needed',
  'cli/run-cli.ts MAX_URL_LENGTH': 'a longer line is no address',
  'service/entry/day-entry.ts MAX_CHANGES': 'service-changes.test.ts',
  'service/operator/operator-reader.ts MAX_TOLD': 'recorded.test.ts',
  'service/reading-ahead/interest-counter.ts MAX_COUNTS': 'interest-counter.test.ts',
  'service/reading-ahead/interest-counter.ts MAX_COUNT': 'interest-counter.test.ts',
  'domain/restaurant.ts MAX_RESTAURANT_ID_LENGTH': 'the addresses of cafeteria-web, which use it',
  'search/token-tiers.ts MAX_BYTES': 'what is not remembered is found again',
  'service/entry/entry-cache.ts MAX_HOT_CHARACTERS': 'what is not in memory is read from the store',
  'service/entry/entry-cache.ts MAX_FAILURES': 'what is not remembered is only tried again sooner',
  'service/dish/dish-search.ts MAX_AGE_MS': 'another process may have read: dishes.test.ts',
  'service/dish/dish-search.ts MAX_CHANGED': 'decides only what is read again',
  'store/sqlite-menu-store.ts MAX_PREPARED': 'a statement that is not kept is prepared again',
};

test.each(Object.entries(LIMITS))('%s is allowed, one more is not', async (_, { at, above, shown }) => {
  expect([await at(), await above()]).toEqual(shown);
});

test('each limit in the sources is tried', () => {
  const found = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
    .flatMap((file) => {
      const constants = readFileSync(join(SOURCES, file), 'utf8').matchAll(
        /^(?:export )?const (\w*MAX_\w+|\w+_LIMIT)\b/gm,
      );
      return [...constants].map(([, name]) => `${file.replaceAll('\\', '/')} ${name}`);
    });
  expect(found.sort()).toEqual([...Object.keys(LIMITS), ...Object.keys(ELSEWHERE)].sort());
});
