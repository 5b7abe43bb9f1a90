import { expect, test } from 'vitest';
import { createInjector } from './injector.ts';

const always = () => true;

function hits(seed: string, times: number, rate: number): boolean[] {
  const injector = createInjector(seed, [{ fault: 'slow', rate }]);
  return Array.from({ length: times }, () => injector.draw('welstory', '/api/meal', always).length > 0);
}

test('a rate is met within what chance allows, the same way for the same seed', () => {
  const drawn = hits('a', 2000, 0.2);
  const share = drawn.filter(Boolean).length / drawn.length;
  expect(share).toBeGreaterThan(0.16);
  expect(share).toBeLessThan(0.24);
  expect(hits('a', 2000, 0.2)).toEqual(drawn);
  expect(hits('b', 2000, 0.2)).not.toEqual(drawn);
});

test('operator, path and count bound a rule', () => {
  const injector = createInjector('a', [
    { fault: 'reset', operator: 'welstory', path: '/api/meal', count: 2 },
    { fault: 'html' },
  ]);
  const draw = (...[operator, path]: ['welstory' | 'shinsegae', string]) =>
    injector.draw(operator, path, always).map(({ fault }) => fault);
  expect(draw('shinsegae', '/api/meal')).toEqual(['html']);
  expect(draw('welstory', '/login')).toEqual(['html']);
  expect(draw('welstory', '/api/meal/detail')).toEqual(['reset', 'html']);
  expect(draw('welstory', '/api/meal')).toEqual(['reset', 'html']);
  expect(draw('welstory', '/api/meal')).toEqual(['html']);
  injector.replace([]);
  expect(draw('welstory', '/api/meal')).toEqual([]);
});

test('a request that a fault does not fit uses up none of its count', () => {
  const injector = createInjector('a', [{ fault: 'tree-moved', count: 1 }]);
  expect(injector.draw('shinsegae', '/storTime', () => false)).toEqual([]);
  expect(injector.draw('shinsegae', '/storTree', always)).toHaveLength(1);
});
