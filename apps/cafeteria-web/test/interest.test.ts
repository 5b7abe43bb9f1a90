import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMenuStore } from 'menu-client';
import { expect, test } from 'vitest';
import { find, startTestCafeteria } from './support/running.ts';

test('restaurants of the cookie are counted as wanted, and nothing is kept of who has them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'interest-'));
  try {
    const storeUrl = `sqlite:${join(folder, 'menus.db')}`;
    let wanted = '';
    {
      await using site = await startTestCafeteria({ storeUrl, trustedProxies: ['127.0.0.1', '::1'] });
      const [asked, kept] = await find(site.url, 'CAF', 2);
      wanted = kept?.id ?? '';
      const headers = {
        cookie: `my=shinsegae.${encodeURIComponent(wanted)}~shinsegae.invented; visitor=somebody`,
        'x-forwarded-for': '192.0.2.77',
        'user-agent': 'somebody/1.0',
      };
      for (let times = 0; times < 3; times += 1)
        expect(
          (await fetch(`${site.url}${asked?.path}/20261120?view=takeout&pick=${times}`, { headers })).status,
        ).toBe(200);
    }
    await using store = await openMenuStore(storeUrl);
    const counts = await store.readInterest('shinsegae', '2026-01-01');
    expect(counts.filter(({ restaurantId }) => restaurantId === wanted)).toEqual([
      { vendor: 'shinsegae', restaurantId: wanted, date: '2026-11-20', count: 3 },
    ]);
    expect(counts).toHaveLength(2);
    const bytes = await readFile(join(folder, 'menus.db'), 'latin1');
    for (const trace of ['192.0.2.77', 'somebody', 'invented']) expect(bytes).not.toContain(trace);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
