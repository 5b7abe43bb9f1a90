import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { systemClock } from 'menu-client';
import { expect, test } from 'vitest';
import { find, LUNCH_MS } from './support/running.ts';
import { sharedCafeteria } from './support/shared.ts';

const site = sharedCafeteria({}, { ...systemClock, nowMs: () => LUNCH_MS });

const markdown = (path: string) => fetch(site.url + path, { headers: { Accept: 'text/markdown' } });

test('x-markdown-tokens is the count of o200k within 5 %, on pages of every kind', async () => {
  const days = await Promise.all(
    ['R5', '강남', '푸드홀', 'CAF114', '도크동'].map((q) => find(site.url, q, 3)),
  );
  const paths = days
    .flat()
    .flatMap(({ path }) => [
      `${path}/20261120`,
      `${path}/20261120?lang=en`,
      `${path}/20261120?view=takeout`,
      `${path}/20261120/week`,
      `${path}/20261122`,
      `${path}/20261122?lang=en`,
    ]);
  paths.push('/', '/?lang=en', '/?q=R5', '/?q=%EA%B0%95%EB%82%A8');
  // The estimate is made for pages of menus, and home has none until operators have answered.
  await expect.poll(() => markdown('/').then((response) => response.text())).toContain('- 점심: ');
  await expect.poll(() => markdown('/?lang=en').then((response) => response.text())).toContain('- Lunch: ');
  const errors: [string, number][] = [];
  for (const path of paths) {
    const response = await markdown(path);
    const tokens = countTokens(await response.text());
    errors.push([path, Number(response.headers.get('x-markdown-tokens')) / tokens - 1]);
  }
  expect(errors.length).toBeGreaterThan(60);
  expect(errors.filter(([, error]) => !(Math.abs(error) <= 0.05))).toEqual([]);
  const mean = errors.reduce((sum, [, error]) => sum + error, 0) / errors.length;
  expect(Math.abs(mean)).toBeLessThan(0.02);
});
