import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapeMarkdown, escapeXml, plainLine } from './plain-text.ts';

const unit = fc.constantFrom(
  '가',
  'a',
  ' ',
  '<',
  '&',
  '"',
  "'",
  '>',
  '\n',
  '\u0007',
  '\u202e',
  '\ufffe',
  '\ud83d',
  '\ude00',
  '😀',
);
const text = fc.string({ unit, maxLength: 12 });

test('a line of any text is well formed, holds no control and turns no text, and is itself a line', () => {
  fc.assert(
    fc.property(text, (given) => {
      const line = plainLine(given);
      expect(line.isWellFormed()).toBe(true);
      // oxlint-disable-next-line no-control-regex -- control characters are what must be gone
      expect(line).not.toMatch(/[\u0000-\u001f\u202e\ufffe]/);
      expect(plainLine(line)).toBe(line);
    }),
  );
});

test('what is read from escaped text is the line', () => {
  const entities: Record<string, string> = {
    '&amp;': '&',
    '&lt;': '<',
    '&gt;': '>',
    '&quot;': '"',
    '&#39;': "'",
  };
  fc.assert(
    fc.property(text, (given) => {
      const escaped = escapeXml(given);
      expect(escaped).not.toMatch(/[<>"']|&(?!amp;|lt;|gt;|quot;|#39;)/);
      expect(escaped.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? '')).toBe(
        plainLine(given),
      );
    }),
  );
});

test.each([
  ['김치찌개 (2,500원)', '김치찌개 (2,500원)'],
  ['[1~3Coin] 죽(전복)', '[1~3Coin] 죽(전복)'],
  ['두부&양념장 {A|B} a_b 50% 3+1 #1!', '두부&양념장 {A|B} a_b 50% 3+1 #1!'],
  ['1.5인분 -> 2<3', '1.5인분 -> 2<3'],
  ['[click](javascript:alert(1))', String.raw`\[click\](javascript:alert(1))`],
  ['[A]', String.raw`\[A\]`],
  ['[x] 두부', String.raw`\[x\] 두부`],
  ['두부] 김치', String.raw`두부\] 김치`],
  ['<script>x</script>', String.raw`\<script>x\</script>`],
  ['*두부* _김치_ `탕`', String.raw`\*두부\* \_김치\_ ` + '\\`탕\\`'],
  ['1~2, 3~4', String.raw`1\~2, 3\~4`],
  ['# 제목', String.raw`\# 제목`],
  ['> 말', String.raw`\> 말`],
  ['라면 #', String.raw`라면 \#`],
  ['- 목록', String.raw`\- 목록`],
  ['---', String.raw`\---`],
  ['1. 첫째', String.raw`1\. 첫째`],
  ['a\n\n# b', 'a # b'],
  ['![x](http://h/p.png)', String.raw`!\[x\](http://h/p.png)`],
  ['&lt;b&gt;', String.raw`\&lt;b\&gt;`],
  ['ok\u202Eevil\u0000', 'ok evil'],
])('%j is written %j in Markdown', (text, written) => {
  expect(escapeMarkdown(text)).toBe(written);
});
