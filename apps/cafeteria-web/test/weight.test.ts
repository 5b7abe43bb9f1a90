import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { find, findOne } from './support/running.ts';
import { sharedCafeteria } from './support/shared.ts';

const site = sharedCafeteria();
const MAX_BYTES = 60 * 1024;

/** Compressed bytes of a page with its styles and scripts, and every address in it except links and photos. */
async function weigh(
  path: string,
  headers: Record<string, string> = {},
): Promise<{ readonly bytes: number; readonly addresses: readonly string[]; readonly html: string }> {
  const html = await (await fetch(site.url + path, { headers })).text();
  const addresses = [
    ...html.matchAll(/<(?:script|link rel="(?:stylesheet|manifest|icon)")[^>]*?(?:src|href)="([^"]+)"/g),
  ].map(([, address]) => address ?? '');
  let bytes = gzipSync(html).length;
  for (const address of addresses)
    bytes += gzipSync(await (await fetch(new URL(address, site.url))).arrayBuffer()).length;
  return { bytes, addresses, html };
}

test('home of a visitor with twelve restaurants weighs at most 40 KiB without its photos', async () => {
  const mine = (await find(site.url, '강남', 12)).map(({ vendor, id }) => `${vendor}.${id}`);
  expect(mine).toHaveLength(12);
  const { bytes, html } = await weigh('/', { Cookie: `my=${mine.join('~')}` });
  expect(html.match(/<section class="my-meal">/g)).toHaveLength(12);
  expect(bytes).toBeLessThanOrEqual(40 * 1024);
});

test('home and the day page weigh at most 60 KiB compressed, and ask nobody else', async () => {
  const { path } = await findOne(site.url, 'R5');
  for (const page of ['/', `${path}/20261120`, `${path}/20261120?view=takeout`]) {
    const { bytes, addresses } = await weigh(page);
    expect(addresses.length).toBeGreaterThan(4);
    expect(addresses.filter((address) => !address.startsWith('/'))).toEqual([]);
    expect(bytes, page).toBeLessThanOrEqual(MAX_BYTES);
  }
});
