import { expect, test } from 'vitest';
import { browsedCafeteria, phone } from './support/browsed-cafeteria.ts';

const site = browsedCafeteria();

test('initial consonants find restaurants; how many there are is announced', async () => {
  const page = await site.browser.newPage({ locale: 'ko-KR' });
  await page.goto(site.cafeteria.url);
  await page.getByRole('combobox').focus();
  await page.keyboard.type('ㄱㄴ');
  await page.getByRole('grid').getByRole('row').first().waitFor();
  const shown = await page.getByRole('grid').getByRole('row').allTextContents();
  expect(shown.filter((text) => text.includes('강남')).length).toBeGreaterThan(0);
  expect(await page.getByRole('status').textContent()).toBe(`식당 ${shown.length}곳`);
  await page.keyboard.press('Escape');
  expect(await page.getByRole('combobox').getAttribute('aria-expanded')).toBe('false');
  await page.close();
});

test('a photo opens large in a dialog that Escape closes', async () => {
  const page = await site.browser.newPage(phone);
  await page.goto(`${site.cafeteria.url}${site.day}?view=takeout`);
  await page.locator('a[data-lightbox]').first().click();
  const dialog = page.getByRole('dialog');
  expect(await dialog.locator('img').getAttribute('src')).toContain('/img/welstory/1200/');
  await page.keyboard.press('Escape');
  expect(await dialog.isVisible()).toBe(false);
  await page.close();
});

test('nutrition dish by dish comes into the opened dish; without script it is a page away', async () => {
  const page = await site.browser.newPage(phone);
  await page.goto(site.cafeteria.url + site.day);
  // By its place in the page.
  const place = await page.evaluate<number>(
    `[...document.querySelectorAll('[data-dish]')].findIndex((e) => e.dataset.dish === 'more')`,
  );
  await page.locator('[data-dish]').nth(place).locator('.whole').click();
  const dialog = page.getByRole('dialog');
  const dishes = dialog.locator('table.dishes');
  await dishes.waitFor();
  expect(await dishes.locator('tbody tr').count()).toBeGreaterThan(1);
  const total = await dialog.locator('.facts td').first().textContent();
  expect(`${await dishes.locator('tfoot td').first().textContent()} kcal`).toBe(total);
  expect(await dialog.locator('a[data-dishes]').count()).toBe(0);
  await page.close();

  const plain = await site.browser.newPage({ ...phone, javaScriptEnabled: false });
  await plain.goto(site.cafeteria.url + site.day);
  await plain.locator('[data-dish]').nth(place).click();
  await plain.waitForURL(/\/menus\//);
  expect(await plain.locator('table.dishes tbody tr').count()).toBeGreaterThan(1);
  await plain.close();
});

test('the browser finds nothing in the way of installing the site', async () => {
  const context = await site.browser.newContext({ locale: 'ko-KR' });
  const page = await context.newPage();
  await page.goto(site.cafeteria.url);
  await page.evaluate('navigator.serviceWorker.ready');
  const session = await context.newCDPSession(page);
  const { url, errors } = await session.send('Page.getAppManifest');
  expect([url, errors]).toEqual([`${site.cafeteria.url}/manifest.webmanifest`, []]);
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
  // Test windows are private ones, from which nothing can be installed.
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([]);
  await context.close();
});
