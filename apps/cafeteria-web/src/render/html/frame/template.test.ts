import fc from 'fast-check';
import { type Child, jsx } from 'hono/jsx';
import type { HtmlEscapedString } from 'hono/utils/html';
import { expect, test } from 'vitest';
import { toText } from './document.ts';
import { type Filling, rendered, template, templateIn } from './template.ts';

const element = (tag: string, attributes: object, ...children: Child[]) =>
  jsx(tag, attributes, ...(children as string[])) as unknown as HtmlEscapedString;
const cell = (name: string, text: string) => element('td', { title: name }, text);

test('what fills a template is written as in elements, in contents and attributes', () => {
  const filled = template<[name: string, text: string]>(cell);
  const text = fc.string({ unit: fc.constantFrom('가', 'a', ' ', '<', '&', '"', "'", '>', '1') });
  fc.assert(
    fc.property(text, text, (name, content) => {
      expect(String(filled(name, content))).toBe(toText(cell(name, content)));
    }),
  );
});

test('elements fill a template as they are, lists in their order, and nothing leaves nothing', () => {
  const filled = template<[name: string, content: Filling]>(cell);
  const bold = rendered(element('b', {}, '&'));
  expect(String(filled('', [bold, null, ['<', [bold]], undefined]))).toBe(
    '<td title=""><b>&amp;</b>&lt;<b>&amp;</b></td>',
  );
  expect(String(filled('', filled('', 'a')))).toBe('<td title=""><td title="">a</td></td>');
});

test('a template of any number of contents says how many', () => {
  const row = template<string[]>((...cells) => element('tr', {}, ...cells.map((each) => cell('', each))), 2);
  expect(String(row('a', 'b'))).toBe('<tr><td title="">a</td><td title="">b</td></tr>');
});

test('what is Korean on an English page is marked as such, and nothing else is', () => {
  const named = templateIn<[name: string]>((lang, name) => element('b', { lang }, name));
  expect(String(named('ko', '밥'))).toBe('<b lang="ko">밥</b>');
  expect(String(named(undefined, 'rice'))).toBe('<b>rice</b>');
});
