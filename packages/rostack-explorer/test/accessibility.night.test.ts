import { describe, expect, test } from 'vitest';
import { openExplorer } from './support/explorer-page.ts';
import {
  DESK,
  expectAccessible,
  PHONE,
  shownExplorer,
  sideways,
  violations,
} from './support/shown-explorer.ts';
import { startSite } from './support/start-site.ts';

const shown = shownExplorer();

describe.each(['light', 'dark'] as const)('%s', (colorScheme) => {
  test.each([
    ['desk', DESK],
    ['phone', PHONE],
  ])('axe finds nothing and nothing sticks out, in every state (%s)', async (_, viewport) => {
    await expectAccessible(shown, colorScheme, viewport);
  });
});

test('where there are two kinds of tokens, one chooses', async () => {
  await using both = await startSite({
    oauthMetadataUrl: 'https://login.example/.well-known/oauth-authorization-server',
    observations: 0,
  });
  await using tab = await openExplorer(shown.browser, both, { viewport: PHONE, bypassCSP: true });
  const { page } = tab;
  const kind = page.getByRole('combobox', { name: 'Kind' });
  expect(await kind.locator('option').allTextContents()).toEqual(['OAuth 2.0 access token', 'Shared token']);
  expect(await kind.inputValue()).toBe('shared_token');
  await page.getByRole('button', { name: 'About this API' }).click();
  expect(await page.getByRole('link', { name: 'its metadata' }).getAttribute('href')).toContain(
    'login.example',
  );
  await page.keyboard.press('Escape');
  expect(await violations(page)).toEqual([]);
  expect(await sideways(page)).toEqual([]);
  await tab.connect(both.token);
});
