import { expect, test } from 'vitest';
import { browsedCafeteria, phone } from './support/browsed-cafeteria.ts';

// What people come for, on a phone, each in at most three taps from the day page of their restaurant.
const site = browsedCafeteria();

test('a dish opens with its large photo and its nutrition in one tap, and closes', async () => {
  const page = await site.browser.newPage(phone);
  await page.goto(site.cafeteria.url + site.day);
  const card = page.locator('.card:has(.photo)').first();
  const name = await card.getByRole('heading').textContent();
  // Anywhere on the card.
  await card.click({ position: { x: 20, y: 20 } });
  const dialog = page.getByRole('dialog', { name: name ?? '' });
  expect(await dialog.getByRole('heading').textContent()).toBe(name);
  expect(await dialog.locator('img').getAttribute('src')).toContain('/1200/');
  expect(await dialog.getByRole('row', { name: /^열량/ }).first().textContent()).toMatch(/kcal/);
  await dialog.getByRole('button', { name: '닫기' }).click();
  expect(await dialog.isVisible()).toBe(false);
  await page.close();
});
