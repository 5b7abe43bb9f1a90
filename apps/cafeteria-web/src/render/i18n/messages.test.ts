import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { MESSAGES } from './messages.ts';

const ASSETS = new URL('../../../assets/', import.meta.url);

/** What a text is made with, by the name of its parameter. */
const SAMPLES: Readonly<Record<string, unknown>> = {
  count: 3,
  shown: 100,
  total: 120,
  pieces: 5,
  date: '2026-11-20',
  day: '11/20',
  from: '9/21',
  to: '12/20',
  clock: '11:50',
  at: '11:20',
  coins: '1~2',
  budget: '4',
  picks: '2',
  code: 'operator_timeout',
};

/** Codes of failures, and one that nobody knows. */
const REASONS = [
  'catalogue_unavailable',
  'deadline_exceeded',
  'not_read_yet',
  'operator_unreachable',
  'operator_timeout',
  'operator_rate_limited',
  'operator_unavailable',
  'operator_refused',
  'operator_answer_empty',
  'session_rejected',
  'login_refused',
  'operator_maintenance',
  'circuit_open',
  'store_unavailable',
  'other',
];

const parametersOf = (make: (...values: never[]) => unknown): readonly string[] =>
  (/^\(?([^)=]*)\)?\s*=>/.exec(make.toString())?.[1] ?? '').split(',').map((name) => name.trim());

/** Every text of a value, under its key; a function is called with samples, unknown parameters in braces. */
function textsOf(value: unknown, key = ''): readonly (readonly [key: string, text: string])[] {
  if (typeof value === 'string') return [[key, value]];
  if (typeof value === 'function') {
    const make = value as (...values: never[]) => unknown;
    if (key === 'reason')
      return REASONS.map((code) => [`reason.${code}`, String(Reflect.apply(make, undefined, [code]))]);
    const values = parametersOf(make).map((name) => SAMPLES[name] ?? `{${name}}`);
    return [[key, String(Reflect.apply(make, undefined, values))]];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => textsOf(part, key === '' ? name : `${key}.${name}`));
}

const korean = textsOf(MESSAGES.ko);
const english = new Map(textsOf(MESSAGES.en));

test('English pages have no Korean label of ours but the link to Korean', () => {
  const { otherLanguage, ...texts } = MESSAGES.en;
  expect(otherLanguage).toBe('한국어');
  expect(textsOf(texts).length).toBeGreaterThan(150);
  expect(textsOf(texts).filter(([, text]) => /[ㄱ-ㅣ가-힣]/.test(text))).toEqual([]);
});

// One voice, and the words that people use: what is loaded is not read, and a catering company is an operator.
const BANNED = /니다|십시오|업체|까닭|표본|읽(?!기)|메뉴에 든 말/;

test('Korean texts speak in one voice, without the words of a translation', () => {
  expect(korean.filter(([, text]) => BANNED.test(text))).toEqual([]);
  const scripts = readdirSync(ASSETS, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.js'),
  );
  expect(scripts.length).toBeGreaterThan(5);
  for (const name of scripts) expect(readFileSync(new URL(name, ASSETS), 'utf8'), name).not.toMatch(BANNED);
});

test('the list of all texts is that of the tables; `--update` writes it again', async () => {
  const cell = (text = ''): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
  const rows = korean.map(([key, text]) => `| \`${key}\` | ${cell(text)} | ${cell(english.get(key))} |`);
  const list = [
    '# All texts of the pages',
    '',
    'Generated from the tables in `src/render/i18n`, with samples in place of what changes; a test keeps it true.',
    '',
    '| | Korean | English |',
    '| --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
  await expect(list).toMatchFileSnapshot('../../../docs/texts.md');
});
