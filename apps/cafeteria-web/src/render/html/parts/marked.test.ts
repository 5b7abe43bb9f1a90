import { expect, test } from 'vitest';
import { toText } from '../frame/document.ts';
import { Marked } from './marked.tsx';

test.each([
  ['강남 R5 B1F', 'r5', '강남 <mark>R5</mark> B1F'],
  ['<b>강남</b> & 서울', '강남', '&lt;b&gt;<mark>강남</mark>&lt;/b&gt; &amp; 서울'],
  ['<b> 강남', '<b>', '&lt;<mark>b</mark>&gt; 강남'],
  ['강남', '', '강남'],
])('%s, asked for %s', (text, query, html) => {
  expect(toText(Marked({ text, query }))).toBe(html);
});
