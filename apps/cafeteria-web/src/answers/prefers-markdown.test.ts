import { expect, test } from 'vitest';
import { prefersMarkdown } from './prefers-markdown.ts';

const CHROME = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

test.each([
  ['text/markdown', true],
  ['TEXT/Markdown ; Q=0.5', true],
  ['text/markdown, text/html', true],
  ['text/html, text/markdown', true],
  ['text/markdown;q=0.9, text/html;q=0.8', true],
  ['text/markdown;charset=utf-8;q=0.9, text/html;q=0.9, */*;q=0.1', true],
  ['text/markdown;variant="a,b;q=0", text/html;q=0.2', true],
  ['text/html, text/markdown;q=0.9', false],
  ['text/markdown;q=0', false],
  ['text/markdown;q=0.000, */*', false],
  ['text/markdown;q=0.5, */*', false],
  ['text/markdown;q=0.5, text/*;q=0.6', false],
  ['text/markdown;q=0.5, */*;q=0.5', true],
  ['*/*', false],
  ['text/*', false],
  [CHROME, false],
  ['application/json', false],
  ['text/markdown-extra', false],
  ['', false],
  [undefined, false],
])('Accept: %s → Markdown %s', (accept, markdown) => {
  expect(prefersMarkdown(accept)).toBe(markdown);
});
