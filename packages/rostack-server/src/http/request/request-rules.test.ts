import type { Context } from 'hono';
import { expect, test } from 'vitest';
import type { HttpProblem } from '../problem/http-problem.ts';
import type { Exchange } from './exchange.ts';
import { checkNextUrlLength, checkUrlLength } from './request-rules.ts';

const PATH = '/api/stations';

function exchange(search: string): Exchange {
  const rest = { method: 'GET', host: '', requestId: '', nowMs: 0, c: undefined as unknown as Context };
  return { path: PATH, search, ...rest };
}

function slugOf(search: string, cursorLength: number): string | undefined {
  try {
    checkNextUrlLength(exchange(search), 'c'.repeat(cursorLength));
    return undefined;
  } catch (error) {
    return (error as HttpProblem).slug;
  }
}

test.each([
  ['?sort=/a,/b,/c,/d,/e,/f', 8_200, 'invalid-sort'],
  [`?sort=/a&filter=${'x'.repeat(7_000)}`, 1_500, 'invalid-filter'],
  [`?sort=/a&filter=${'x'.repeat(1_500)}`, 7_000, 'invalid-sort'],
  ['', 8_200, 'invalid-request'],
  ['?sort=/a', 7_000, undefined],
])('%.40s and a cursor of %d characters: %s (%#)', (search, cursorLength, slug) => {
  expect(slugOf(search, cursorLength)).toBe(slug);
});

test.each(['?cursor=OLD', '?cursor=OLD&limit=5', '?limit=5&cursor=OLD&sort=/a', '?limit=5&cursor=OLD'])(
  'the URL may have as many bytes as are accepted, %s',
  (template) => {
    const cursorWith = (length: number) => template.replace('OLD', 'c'.repeat(length));
    const room = 8_192 - PATH.length - cursorWith(0).length;
    expect(slugOf(cursorWith(100), room)).toBeUndefined();
    expect(() => checkUrlLength(exchange(cursorWith(room)), true)).not.toThrow();
    expect(slugOf(cursorWith(100), room + 1)).toBeDefined();
  },
);
