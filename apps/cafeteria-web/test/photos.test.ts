import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox } from 'menu-sandbox';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { DiskCache } from '../src/photos/disk-cache.ts';
import { fetchPhoto, isPublicAddress, publicLookup } from '../src/photos/fetch-photo.ts';
import { PhotoProxy, resizePhoto } from '../src/photos/photo-proxy.ts';
import { openSite } from './support/operated-site.ts';
import { findOne, startTestCafeteria } from './support/running.ts';
import { sharedCafeteria } from './support/shared.ts';

const site = sharedCafeteria();
const NO_RULES = { trustedOrigins: [] };

async function host(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const picture = (width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#a40' } })
    .png()
    .toBuffer();

test('photos of the pages are WebP of two sizes, with their version in the address once it is known, and then a long life', async () => {
  const { path } = await findOne(site.url, 'R5');
  const page = async () => (await fetch(`${site.url}${path}/20261120`)).text();
  const small = /\/img\/welstory\/480\/[\w-]+/.exec(await page())?.[0] ?? '';
  for (const width of [480, 1200]) {
    const plain = small.replace('/480/', `/${width}/`);
    const first = await fetch(site.url + plain);
    expect([first.status, first.headers.get('cache-control')]).toEqual([200, 'public, max-age=300']);
    // The page is rendered again, with what is known now.
    const versioned = new RegExp(`${plain}\\?v=[\\w-]+`).exec(await page())?.[0] ?? '';
    expect(versioned).toContain(first.headers.get('etag')?.replaceAll('"', '') ?? 'no version');
    const url = site.url + versioned;
    const response = await fetch(url);
    expect(response.headers.get('content-type')).toBe('image/webp');
    expect(response.headers.get('cache-control')).toBe('public, max-age=2592000, immutable');
    const other = await fetch(url.replace(/v=.*/, 'v=another'));
    expect([other.status, other.headers.get('cache-control')]).toEqual([200, 'public, max-age=300']);
    const { format, width: actual } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
    expect(format).toBe('webp');
    expect(actual).toBeLessThanOrEqual(width);
    const again = await fetch(url, { headers: { 'If-None-Match': response.headers.get('etag') ?? '' } });
    expect(again.status).toBe(304);
  }
  expect((await fetch(site.url + small.replace('/480/', '/481/'))).status).toBe(404);
});

test('photos are asked for as the operators expect it, and may come with any content type', async () => {
  await using sandbox = await startSandbox({
    faults: [{ fault: 'photo-referer', operator: 'welstory' }, { fault: 'photo-untyped' }],
  });
  const rules = { trustedOrigins: [], loopbackOrigin: sandbox.url };
  const photo = await fetchPhoto(`${sandbox.welstoryUrl}/data/manager/recipe/a.png`, 'welstory', rules);
  expect((await sharp(photo).metadata()).format).toBe('png');

  const seen: (string | undefined)[] = [];
  await using untyped = await host(({ url, headers }, response) => {
    seen.push(headers.referer);
    const type = new URL(url ?? '', 'http://localhost').searchParams.get('type');
    const body = url?.startsWith('/page') === true ? '<html>' : 'RIFF1234WEBPVP8 ';
    response.writeHead(200, type === null ? {} : { 'Content-Type': type }).end(body);
  });
  const trusted = { trustedOrigins: [untyped.origin] };
  expect(await fetchPhoto(`${untyped.origin}/photo`, 'shinsegae', trusted)).toHaveLength(16);
  await expect(fetchPhoto(`${untyped.origin}/page`, 'welstory', trusted)).rejects.toMatchObject({
    code: 'not_a_photo',
  });
  expect(seen).toEqual([undefined, 'https://welplus.welstory.com']);
  for (const type of [
    'application/octet-stream',
    'binary/octet-stream',
    'application/octet-stream; charset=x',
    'application/x-jpg',
    'text/plain; charset=UTF-8',
    'text/html',
    'image/svg+xml',
    '',
  ]) {
    const at = (path: string) => `${untyped.origin}/${path}?type=${encodeURIComponent(type)}`;
    expect(await fetchPhoto(at('photo'), 'shinsegae', trusted), type).toHaveLength(16);
    await expect(fetchPhoto(at('page'), 'shinsegae', trusted), type).rejects.toMatchObject({
      code: 'not_a_photo',
    });
  }
});

test.each([
  'http://127.0.0.1/x.png',
  'http://169.254.169.254/latest/meta-data/',
  'http://[::1]/x.png',
  'http://[::ffff:127.0.0.1]/x.png',
  'http://2130706433/x.png',
  'http://0x7f.1/x.png',
  'http://localhost/x.png',
  'http://localhost.welstory.com.evil.example/x.png',
  'https://evil.example/x.png',
  'https://welstory.com.evil.example/x.png',
  'https://user:pass@welplus.welstory.com/x.png',
  'https://welplus.welstory.com:8443/x.png',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'not an address',
])('%s is not fetched', async (url) => {
  await expect(fetchPhoto(url, 'welstory', NO_RULES)).rejects.toMatchObject({ code: 'not_allowed' });
});

test('an allowed name that resolves to a private address is refused, in every notation of the address', async () => {
  const asLocalhost: typeof publicLookup = (_name, options, callback) =>
    publicLookup('localhost', options, callback);
  await expect(
    fetchPhoto('http://photos.welstory.com/x.png', 'welstory', NO_RULES, undefined, asLocalhost),
  ).rejects.toMatchObject({ code: 'not_allowed' });
  const refused = [
    '127.0.0.1',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '::1',
    'fe80::1',
    'fc00::1',
    '::ffff:127.0.0.1',
    '224.0.0.1',
    'nonsense',
  ];
  expect(refused.filter(isPublicAddress)).toEqual([]);
  expect(['1.1.1.1', '2606:4700::1111'].filter(isPublicAddress)).toHaveLength(2);
});

test('redirects elsewhere, other types, oversized and slow bodies are refused', async () => {
  const png = await picture(20, 20);
  await using inside = await host((_request, response) =>
    response.writeHead(200, { 'Content-Type': 'image/png' }).end(png),
  );
  await using outside = await host((request, response) => {
    const answers: Record<string, () => unknown> = {
      '/loopback': () => response.writeHead(302, { Location: `${inside.origin}/x.png` }).end(),
      '/metadata': () => response.writeHead(302, { Location: 'http://169.254.169.254/' }).end(),
      '/loop': () => response.writeHead(302, { Location: '/loop' }).end(),
      '/same': () => response.writeHead(302, { Location: '/ok.png' }).end(),
      '/ok.png': () => response.writeHead(200, { 'Content-Type': 'image/png' }).end(png),
      '/svg': () => response.writeHead(200, { 'Content-Type': 'image/svg+xml' }).end('<svg/>'),
      '/html': () => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>'),
      '/gone': () => response.writeHead(404).end(),
      '/large': () =>
        response
          .writeHead(200, { 'Content-Type': 'image/png', 'Content-Length': '20000' })
          .end(Buffer.alloc(20_000)),
      '/endless': () => {
        response.writeHead(200, { 'Content-Type': 'image/png' });
        response.write(Buffer.alloc(6_000));
        response.write(Buffer.alloc(6_000));
      },
      '/slow': () => response.writeHead(200, { 'Content-Type': 'image/png' }).flushHeaders(),
      '/drip': () => {
        response.writeHead(200, { 'Content-Type': 'image/png' });
        const drip = setInterval(() => response.write('x'), 20);
        response.once('close', () => clearInterval(drip));
      },
      '/hidden': () => response.writeHead(302, { Location: 'http://photos.welstory.com/x.png' }).end(),
    };
    answers[request.url ?? '']?.();
  });
  const rules = { trustedOrigins: [outside.origin] };
  // A busy machine may take its time with all but those that never end.
  const limitsOf = (path: string) => ({
    timeoutMs: path === '/slow' || path === '/drip' ? 400 : 20_000,
    maxBytes: 10_000,
  });
  // The allowed name of the redirect is one that resolves to this machine.
  const asLocalhost: typeof publicLookup = (_name, options, callback) =>
    publicLookup('localhost', options, callback);
  const outcome = (path: string): Promise<string> =>
    fetchPhoto(outside.origin + path, 'welstory', rules, limitsOf(path), asLocalhost).then(
      () => 'fetched',
      (error: unknown) => (error as { code: string }).code,
    );
  const expected = {
    '/ok.png': 'fetched',
    '/same': 'fetched',
    '/loopback': 'not_allowed',
    '/metadata': 'not_allowed',
    '/loop': 'not_allowed',
    '/svg': 'not_a_photo',
    '/html': 'not_a_photo',
    '/gone': 'not_found',
    '/large': 'too_large',
    '/endless': 'too_large',
    '/slow': 'timeout',
    '/drip': 'timeout',
    '/hidden': 'not_allowed',
  };
  const actual = await Promise.all(
    Object.keys(expected).map(async (path) => [path, await outcome(path)] as const),
  );
  expect(Object.fromEntries(actual)).toEqual(expected);
});

test('the running site answers none of these addresses, and never asks them', async () => {
  let asked = 0;
  const png = await picture(20, 20);
  await using inside = await host((_request, response) => {
    asked += 1;
    response.writeHead(200, { 'Content-Type': 'image/png' }).end(png);
  });
  await using allowed = await host((request, response) => {
    const answers: Record<string, () => unknown> = {
      '/away': () => response.writeHead(302, { Location: `${inside.origin}/x.png` }).end(),
      '/svg': () => response.writeHead(200, { 'Content-Type': 'image/svg+xml' }).end('<svg/>'),
      '/page-called-png': () => response.writeHead(200, { 'Content-Type': 'image/png' }).end('<html>'),
      // More than the 8 MiB that are allowed, announced and not announced.
      '/large': () =>
        response.writeHead(200, { 'Content-Type': 'image/png', 'Content-Length': String(9 << 20) }).end(),
      '/larger': () => response.writeHead(200, { 'Content-Type': 'image/png' }).end(Buffer.alloc(9 << 20)),
      '/ok': () => response.writeHead(200, { 'Content-Type': 'image/png' }).end(png),
    };
    answers[request.url ?? '']?.();
  });
  await using live = await startTestCafeteria({
    upstream: { kind: 'live', environment: { PLANEAT_BASE_URL: allowed.origin } },
    photoOrigins: [allowed.origin],
  });
  const status = async (url: string): Promise<number> => {
    const address = Buffer.from(url, 'utf8').toString('base64url');
    const response = await fetch(`${live.url}/img/shinsegae/480/${address}`);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    return response.status;
  };
  for (const url of [
    `${inside.origin}/x.png`,
    'http://127.0.0.1/x.png',
    'http://169.254.169.254/latest/meta-data/',
    ...['/away', '/svg', '/page-called-png', '/large', '/larger'].map((path) => allowed.origin + path),
  ]) {
    expect(await status(url), url).toBe(404);
  }
  expect(asked).toBe(0);
  expect(await status(`${allowed.origin}/ok`)).toBe(200);
});

test('that a photo cannot be had now is kept by nobody; that there is none, for a minute', async () => {
  await using operator = await host(({ url }, response) => {
    if (url === '/cut') response.destroy();
    else response.writeHead(404).end();
  });
  await using live = await startTestCafeteria({
    upstream: { kind: 'live', environment: { PLANEAT_BASE_URL: operator.origin } },
    photoOrigins: [operator.origin],
  });
  const answer = async (path: string) => {
    const address = Buffer.from(operator.origin + path).toString('base64url');
    const { status, headers } = await fetch(`${live.url}/img/shinsegae/480/${address}`);
    return [status, headers.get('cache-control')];
  };
  expect(await answer('/cut')).toEqual([502, 'no-store']);
  expect(await answer('/gone')).toEqual([404, 'public, max-age=60']);
});

test('bytes that only call themselves a photo are refused', async () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
  await expect(resizePhoto(svg, 480)).rejects.toMatchObject({ code: 'not_a_photo' });
  await expect(resizePhoto(Buffer.from('<html>'), 480)).rejects.toMatchObject({ code: 'not_a_photo' });
  const { width, height } = await sharp(await resizePhoto(await picture(900, 300), 480)).metadata();
  expect([width, height]).toEqual([480, 160]);
});

test('many requests for one photo fetch it once; the disk keeps to its bound and outlives a restart', async () => {
  let fetched = 0;
  const png = await picture(600, 400);
  await using photos = await host((_request, response) => {
    fetched += 1;
    response.writeHead(200, { 'Content-Type': 'image/png' }).end(png);
  });
  const folder = await mkdtemp(join(tmpdir(), 'photos-'));
  let nowMs = 0;
  const open = async (maxBytes: number): Promise<PhotoProxy> =>
    new PhotoProxy(await DiskCache.open(folder, maxBytes, () => (nowMs += 1000)), {
      trustedOrigins: [photos.origin],
    });
  const proxy = await open(1e6);
  const all = await Promise.all(
    Array.from({ length: 20 }, () => proxy.get('welstory', 480, `${photos.origin}/a`)),
  );
  expect(fetched).toBe(1);
  const size = all[0]?.bytes.length ?? 0;
  await (await open(1e6)).get('welstory', 480, `${photos.origin}/a`);
  expect(fetched).toBe(1);
  const small = await open(size * 3);
  for (const name of 'bcdefgh') await small.get('welstory', 480, `${photos.origin}/${name}`);
  expect(small.storedBytes).toBeLessThanOrEqual(size * 3);
  expect((await readdir(folder)).length).toBeLessThanOrEqual(3);
  await rm(folder, { recursive: true });
});

test('what others show is JPEG, and only what is there: no placeholder in a chat, with a link or in data', async () => {
  const chats = { kakaoSkill: 'kakao-secret-for-tests', slackSigning: 'slack-secret' };
  const startMs = Date.parse('2026-11-20T10:40:00+09:00');
  await using morning = await openSite({ scenario: 'recorded', startMs, chats });
  const { path, id } = await findOne(morning.url, 'R5');
  const kakao = async () => {
    const utterance = `${id} 점심`;
    const body = JSON.stringify({ userRequest: { utterance } });
    const answer = await fetch(`${morning.url}/kakao/skill/kakao-secret-for-tests`, { method: 'POST', body });
    return [...(await answer.text()).matchAll(/"imageUrl":"([^"]+)"/g)].map(([, url = '']) => url);
  };
  const page = () => morning.text(`${path}/20261120`);
  const shared = (html: string) => [
    ...[...html.matchAll(/property="og:image" content="([^"]+)"/g)].map(([, url = '']) => url),
    ...[...html.matchAll(/"image":"([^"]+)"/g)].map(([, url = '']) => url),
  ];
  await expect.poll(async () => (await kakao()).length).toBeGreaterThan(1);
  for (const url of [...(await kakao()), ...shared(await page())])
    expect(url).toMatch(/icon-512[\w.-]*\.png$/);

  morning.passTime(21 * 60_000);
  await kakao();
  await expect
    .poll(async () => (await kakao()).filter((url) => url.includes('.jpg')).length)
    .toBeGreaterThan(1);
  const addresses = [...(await kakao()), ...shared(await page())].filter((url) => !url.includes('icon-512'));
  expect(shared(await page()).some((url) => url.includes('.jpg'))).toBe(true);
  for (const url of addresses) {
    const photo = await fetch(url.replaceAll('&amp;', '&'));
    expect([photo.status, photo.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    expect((await sharp(Buffer.from(await photo.arrayBuffer())).metadata()).format).toBe('jpeg');
  }
  // Addresses that were handed out before.
  expect((await fetch(addresses[0]?.replace(/\.jpg.*/, '') ?? '')).headers.get('content-type')).toBe(
    'image/jpeg',
  );
});

test('a folder of photos that cannot be used fails neither the start nor an answer', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'photos-'));
  await writeFile(join(dataDir, 'photos'), 'a file in its place');
  await using live = await startTestCafeteria({ dataDir, storeUrl: 'memory:' });
  const { path } = await findOne(live.url, 'R5');
  const html = await (await fetch(`${live.url}${path}/20261120`)).text();
  const photo = await fetch(live.url + (/\/img\/welstory\/480\/[\w-]+/.exec(html)?.[0] ?? ''));
  expect([photo.status, photo.headers.get('content-type')]).toEqual([200, 'image/webp']);
  await rm(dataDir, { recursive: true });
});
