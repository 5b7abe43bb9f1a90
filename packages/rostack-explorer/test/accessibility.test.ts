import { expect, test, vi } from 'vitest';
import { openExplorer } from './support/explorer-page.ts';
import { expectAccessible, PHONE, shownExplorer, sideways } from './support/shown-explorer.ts';

// Axe looks at every element of a long page.
vi.setConfig({ testTimeout: 180_000 });

// The night looks at every state, on a desk too and in the dark.
const shown = shownExplorer();

test('axe finds nothing and nothing sticks out on a phone with a filter and its faults and with live events', async () => {
  await expectAccessible(shown, 'light', PHONE, ['with a filter and its faults', 'with live events']);
});

test('at twice the text size nothing sticks out on a phone', async () => {
  await using tab = await openExplorer(shown.browser, shown.site, { viewport: PHONE, bypassCSP: true });
  const { page } = tab;
  await page.addStyleTag({ content: 'html { font-size: 200% }' });
  expect(await sideways(page)).toEqual([]);
  await tab.connect(shown.site.token);
  await page.locator('table.records tbody tr').first().waitFor();
  await page.getByRole('button', { name: 'Add condition' }).click();
  expect(await sideways(page)).toEqual([]);
});

test('everything can be reached and used by keyboard alone', async () => {
  await using tab = await openExplorer(shown.browser, shown.site);
  const { page } = tab;
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
  await page.getByRole('textbox', { name: 'Token' }).focus();
  await page.keyboard.insertText(shown.site.token);
  await page.keyboard.press('Enter');
  await page.locator('[role=tab]:focus').waitFor();
  await page.keyboard.press('ArrowRight');
  expect(await page.getByRole('tab', { name: 'Live events' }).getAttribute('aria-selected')).toBe('true');
  await page.keyboard.press('ArrowLeft');
  await page.getByRole('button', { name: 'Add condition' }).press('Enter');
  await expect
    .poll(() => page.evaluate<string>('document.activeElement.getAttribute("aria-label")'))
    .toBe('Field of condition 1');
});
