import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { DiskCache } from '../src/photos/disk-cache.ts';
import { PhotoProxy } from '../src/photos/photo-proxy.ts';

/** A photo proxy over a host of its own, in a folder of its own. */
async function startProxy(answer: (request: IncomingMessage, response: ServerResponse) => unknown) {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'photo-limits-'));
  opened.defer(() => rm(folder, { recursive: true }));
  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  opened.defer(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const proxy = new PhotoProxy(await DiskCache.open(folder, 1e6, () => 0), { trustedOrigins: [origin] });
  const owned = opened.move();
  return {
    folder,
    get: (name: string | number) => proxy.get('welstory', 480, `${origin}/${name}`),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

const PICTURE = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#a40' } })
  .png()
  .toBuffer();

test('four photos are fetched at once and 64 wait; one more is refused, and all others are answered', async () => {
  const gate = Promise.withResolvers<void>();
  const all = Promise.withResolvers<void>();
  let now = 0;
  let most = 0;
  await using photos = await startProxy(async (_request, response) => {
    now += 1;
    most = Math.max(most, now);
    if (now === 4) all.resolve();
    await gate.promise;
    now -= 1;
    response.writeHead(200, { 'Content-Type': 'image/png' }).end(PICTURE);
  });
  const asked = Array.from({ length: 68 }, (_, index) => photos.get(index));
  await all.promise;
  await expect(photos.get('one more')).rejects.toMatchObject({ code: 'overloaded' });
  gate.resolve();
  await Promise.all(asked);
  expect(most).toBe(4);
  expect((await photos.get('afterwards')).bytes.length).toBeGreaterThan(0);
});

test('photos that fail give their places back, and are not asked for again at once', async () => {
  const asked: string[] = [];
  await using photos = await startProxy((request, response) => {
    asked.push(request.url ?? '');
    if (request.url?.startsWith('/bad') === true) response.writeHead(404).end();
    else response.writeHead(200, { 'Content-Type': 'image/png' }).end(PICTURE);
  });
  const bad = Array.from({ length: 10 }, (_, index) => `bad${index}`);
  for (const name of [...bad, ...bad])
    await expect(photos.get(name)).rejects.toMatchObject({ code: 'not_found' });
  expect((await photos.get('good')).bytes.length).toBeGreaterThan(0);
  expect(asked).toHaveLength(bad.length + 1);
});

test('two redirects are followed, and a third is not', async () => {
  await using photos = await startProxy((request, response) => {
    const left = Number(request.url?.slice(1));
    if (left > 0) response.writeHead(302, { Location: `/${left - 1}` }).end();
    else response.writeHead(200, { 'Content-Type': 'image/png' }).end(PICTURE);
  });
  expect((await photos.get(2)).bytes.length).toBeGreaterThan(0);
  await expect(photos.get(3)).rejects.toMatchObject({ code: 'not_allowed' });
});

test('a photo that is stored again counts once, and nothing unfinished stays in the folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'photo-limits-'));
  try {
    await writeFile(join(folder, '.1b4e28ba-2fa1-11d2-883f-0016d3cca427'), 'begun and never finished');
    const cache = await DiskCache.open(folder, 1e6, () => 0);
    expect(await readdir(folder)).toEqual([]);
    for (const length of [100, 200, 300]) await cache.set('a', Buffer.alloc(length));
    await cache.set('b', Buffer.alloc(50));
    expect(cache.totalBytes).toBe(350);
    expect((await readdir(folder)).filter((name) => name.startsWith('.'))).toEqual([]);
    const again = await DiskCache.open(folder, 1e6, () => 0);
    expect([again.totalBytes, (await again.get('a'))?.bytes.length]).toEqual([350, 300]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('the folder is as large as it may be, and shrinks when one byte more is stored', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'photo-limits-'));
  try {
    let nowMs = 0;
    const cache = await DiskCache.open(folder, 1_000, () => (nowMs += 1));
    for (const name of ['a', 'b', 'c', 'd']) await cache.set(name, Buffer.alloc(250));
    expect([cache.totalBytes, (await cache.get('a'))?.bytes.length]).toEqual([1_000, 250]);
    await cache.set('e', Buffer.alloc(1));
    // The least recently used one goes: the first was just read.
    expect([cache.totalBytes, await cache.get('b')]).toEqual([751, undefined]);
    expect((await cache.get('a'))?.bytes.length).toBe(250);
  } finally {
    await rm(folder, { recursive: true });
  }
});
