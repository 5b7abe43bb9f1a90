import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { followText } from './follow-query.ts';
import { RostackProvider, useRecord } from './hooks.ts';

const SHEETS = { query: followText('sheets', {}), records: [['7', { id: 7, title: 'seventh' }]] } as const;

function Sheet({ id }: { readonly id: number | string }) {
  return createElement('p', null, useRecord<{ readonly title: string }>('sheets', id)?.title ?? 'unknown');
}

test.for([
  ['an integer', 7],
  ['its text', '7'],
] as const)('a record is found by %s', ([, id]) => {
  const page = createElement(RostackProvider, { initial: [SHEETS] }, createElement(Sheet, { id }));
  expect(renderToString(page)).toBe('<p>seventh</p>');
});
