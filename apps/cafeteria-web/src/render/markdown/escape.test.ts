import { expect, test } from 'vitest';
import { escapeMarkdown } from './escape.ts';

test.each([
  ['김치찌개 (2,500원)', '김치찌개 (2,500원)'],
  ['[click](javascript:alert(1))', String.raw`\[click\](javascript:alert(1))`],
  ['<script>x</script>', String.raw`\<script\>x\</script\>`],
  ['# 제목', String.raw`\# 제목`],
  ['- 목록', String.raw`\- 목록`],
  ['1. 첫째', String.raw`1\. 첫째`],
  ['a\n\n# b', String.raw`a \# b`],
  ['![x](http://h/p.png)', String.raw`\!\[x\](http://h/p.png)`],
  ['&lt;b&gt;', String.raw`\&lt;b\&gt;`],
  ['ok\u202Eevil\u0000', 'ok evil'],
])('%j is written %j', (text, written) => {
  expect(escapeMarkdown(text)).toBe(written);
});
