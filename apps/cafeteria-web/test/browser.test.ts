import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from './support/browser.ts';
import { startTestCafeteria } from './support/running.ts';

let cafeteria: Awaited<ReturnType<typeof startTestCafeteria>>;
let browser: Awaited<ReturnType<typeof launchBrowser>>;
beforeAll(async () => {
  [cafeteria, browser] = await Promise.all([startTestCafeteria(), launchBrowser()]);
});
afterAll(async () => {
  await browser[Symbol.asyncDispose]();
  await cafeteria[Symbol.asyncDispose]();
});

test('typing a Korean keyword, choosing a suggestion by keyboard and reading the menus of today', async () => {
  const page = await browser.newPage({ locale: 'ko-KR' });
  await page.goto(cafeteria.url);
  await page.keyboard.press('Tab');
  await page.getByRole('combobox').focus();
  await page.keyboard.type('강남');
  const options = page.getByRole('option');
  await options.first().waitFor();
  await page.keyboard.press('ArrowDown');
  const chosen = await options.first().locator('strong').textContent();
  expect(await page.getByRole('combobox').getAttribute('aria-activedescendant')).toBe('suggestion-0');
  await Promise.all([page.waitForURL(/\/restaurants\/.+\/\d{8}$/), page.keyboard.press('Enter')]);
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(chosen);
  expect(await page.locator('.date').textContent()).toContain('오늘');
  expect(await page.locator('.period h3').count()).toBeGreaterThan(0);
  await page.close();
});
