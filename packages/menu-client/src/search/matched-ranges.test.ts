import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchedRanges } from './matched-ranges.ts';

const marked = (text: string, query: string): string =>
  matchedRanges(text, query)
    .toReversed()
    .reduce((all, [from, to]) => `${all.slice(0, from)}[${all.slice(from, to)}]${all.slice(to)}`, text);

test.each([
  ['강남 R5 B1F', 'r5', '강남 [R5] B1F'],
  ['강남 사원 식당', '사원식당, 강남', '[강남] [사원 식당]'],
  ['수제 치즈 돈까스', 'ehsRktm', '수제 치즈 [돈까스]'],
  ['수원 강남', 'ㄱㄴ', '수원 [강남]'],
  ['ＳＫ하이닉스', 'sk하', '[ＳＫ하]이닉스'],
  ['😀 Ａ', 'a', '😀 [Ａ]'],
  ['강남', '강 강남 남', '[강남]'],
  ['강남'.normalize('NFD'), '강남', `[${'강남'.normalize('NFD')}]`],
  ['서울 강남구', '강남역에서', '서울 [강남]구'],
  ['L.A 갈비', 'la갈비', '[L.A 갈비]'],
  ['강남', '수원', '강남'],
  ['강남', ' ', '강남'],
])('%s, asked for %s', (text, query, expected) => {
  expect(marked(text, query)).toBe(expected);
});

test('ranges are in order, inside the text and apart, for any text and query', () => {
  const text = fc.string({ unit: 'binary', maxLength: 20 });
  fc.assert(
    fc.property(text, text, (name, query) => {
      let end = -1;
      for (const [from, to] of matchedRanges(name, query)) {
        expect(from).toBeGreaterThan(end);
        expect(to).toBeGreaterThan(from);
        end = to;
      }
      expect(end).toBeLessThanOrEqual(name.length);
    }),
  );
});
