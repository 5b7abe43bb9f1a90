import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox } from 'menu-sandbox';
import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { DiskCache } from '../src/photos/disk-cache.ts';
import { isNearlyWhite } from '../src/photos/nearly-white.ts';
import { PhotoProxy } from '../src/photos/photo-proxy.ts';

/** A photo proxy over a host of its own, in a folder of its own; time is what the test says. */
async function startProxy(answer: (request: IncomingMessage, response: ServerResponse) => unknown) {
  let nowMs = 0;
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'photo-limits-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  opened.defer(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const troubles: unknown[] = [];
  const open = async () => {
    const files = await DiskCache.open(
      folder,
      1e6,
      () => nowMs,
      (error) => troubles.push(error),
    );
    return new PhotoProxy(files, { trustedOrigins: [origin] }, undefined, () => nowMs);
  };
  const proxy = await open();
  const owned = opened.move();
  return {
    folder,
    origin,
    proxy,
    troubles,
    /** The next start over the same folder. */
    open,
    passTime: (ms: number) => {
      nowMs += ms;
    },
    get: (name: string | number) => proxy.get('welstory', 480, `${origin}/${name}`),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

const pictureOf = (background: string, width = 9) =>
  sharp({ create: { width, height: 9, channels: 3, background } })
    .png()
    .toBuffer();
const PICTURE = await pictureOf('#a40');
const OTHER = await pictureOf('#0a4');
/** Operators whose photos of the days to come are not there yet, and that have a photo by every other name. */
const operators = await startSandbox({ scenario: 'recorded' });
afterAll(() => operators.close());
async function photoOf(name: string): Promise<Buffer> {
  return Buffer.from(await (await fetch(`${operators.url}/upload/thumb/${name}.png`)).arrayBuffer());
}
/** A pale mark on paper, paper alone, nothing at all, and one dark pixel. */
const PLACEHOLDERS = [
  await photoOf('29991231-REST000007-2-AA'),
  await pictureOf('#fdfdfb'),
  await sharp({ create: { width: 9, height: 9, channels: 4, background: '#0000' } })
    .png()
    .toBuffer(),
  await sharp({ create: { width: 1, height: 1, channels: 3, background: '#222' } })
    .gif()
    .toBuffer(),
];
const MINUTE = 60_000;
const FORMATS = ['webp', 'jpeg'] as const;

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
  // That there was no place says nothing about the photo.
  expect((await photos.get('one more')).bytes.length).toBeGreaterThan(0);
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

test('closing waits for what is being written, and nothing is written afterwards', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'photos-'));
  const cache = await DiskCache.open(folder, 1e8, () => 0);
  const photo = Buffer.alloc(4_000_000, 7);
  const stored = Promise.all(['a', 'b', 'c'].map((key) => cache.set(key, photo)));
  await cache[Symbol.asyncDispose]();
  const left = await readdir(folder);
  expect(left.filter((name) => name.startsWith('.'))).toEqual([]);
  expect(left).toHaveLength(3);
  await stored;
  expect((await cache.set('d', photo)).bytes).toBe(photo);
  expect(await readdir(folder)).toHaveLength(3);
  await rm(folder, { recursive: true });
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

test('a placeholder is never kept, and the photo that comes to the same address is shown within a minute', async () => {
  let shown: Buffer = PICTURE;
  await using photos = await startProxy((_request, response) =>
    response.writeHead(200, { 'Content-Type': 'image/png' }).end(shown),
  );
  for (const [index, placeholder] of PLACEHOLDERS.entries()) {
    shown = placeholder;
    const url = `${photos.origin}/${index}`;
    await expect(photos.get(index)).rejects.toMatchObject({ code: 'placeholder', retryable: true });
    expect(photos.proxy.shelf.stateOf('welstory', url)?.isThere).toBe(false);
    expect(await readdir(photos.folder)).toHaveLength(index);
    shown = PICTURE;
    photos.passTime(MINUTE);
    expect((await photos.get(index)).bytes.length).toBeGreaterThan(0);
    expect(photos.proxy.shelf.stateOf('welstory', url)?.isThere).toBe(true);
  }
});

test('no photo of food is taken for a placeholder, on a white plate or a pale table', async () => {
  const photos = await Promise.all(Array.from({ length: 60 }, (_, index) => photoOf(`plate-${index}`)));
  expect(await Promise.all(photos.map((photo) => isNearlyWhite(photo, 1e6)))).not.toContain(true);
});

test('a photo whose placeholder is wanted again is looked for without anybody asking for its address', async () => {
  let shown: Buffer | undefined = PLACEHOLDERS[0];
  await using photos = await startProxy((_request, response) =>
    response.writeHead(200, { 'Content-Type': 'image/png' }).end(shown),
  );
  const url = `${photos.origin}/late`;
  const state = () => photos.proxy.shelf.stateOf('welstory', url)?.isThere;
  await photos.proxy.lookFor('welstory', [url], 20_000);
  expect(state()).toBe(false);
  shown = PICTURE;
  photos.passTime(MINUTE);
  // A page is rendered, and leaves it out for the last time.
  expect(state()).toBe(false);
  await expect.poll(state).toBe(true);
});

test('a host that is silent is waited for once, not by everybody who would see its photo', async () => {
  await using photos = await startProxy(() => {});
  const ended: string[] = [];
  const look = async (name: string) => {
    await photos.proxy.lookFor('welstory', [`${photos.origin}/${name}`], 300);
    ended.push(name);
  };
  await look('waited for');
  await Promise.all([look('new'), look('waited for')]);
  expect(ended).toEqual(['waited for', 'waited for', 'new']);
});

test('a kept photo is shown at once, and looked at again after ten minutes: another one at its address takes its place', async () => {
  let shown: Buffer = PICTURE;
  const asked: (string | undefined)[] = [];
  await using photos = await startProxy((request, response) => {
    asked.push(request.headers['if-none-match']);
    const etag = shown === PICTURE ? '"one"' : '"two"';
    if (request.headers['if-none-match'] === etag) response.writeHead(304).end();
    else response.writeHead(200, { 'Content-Type': 'image/png', ETag: etag }).end(shown);
  });
  const all = () =>
    Promise.all(FORMATS.map((format) => photos.proxy.get('welstory', 480, `${photos.origin}/a`, format)));
  const [first] = await all();
  expect(asked).toEqual([undefined, undefined]);
  photos.passTime(9 * MINUTE);
  await all();
  expect(asked).toHaveLength(2);
  photos.passTime(MINUTE);
  expect((await all())[0]?.version).toBe(first?.version);
  await expect.poll(() => asked).toEqual([undefined, undefined, '"one"']);

  shown = OTHER;
  photos.passTime(10 * MINUTE);
  expect((await all())[0]?.version).toBe(first?.version);
  await expect.poll(async () => (await all())[0]?.version).not.toBe(first?.version);
  const made = await all();
  const colours = await Promise.all(made.map(async ({ bytes }) => (await sharp(bytes).stats()).dominant));
  for (const { g, r } of colours) expect(g).toBeGreaterThan(r);

  // The placeholder may come back, and a start knows nothing of what was at the address.
  shown = PLACEHOLDERS[1] ?? shown;
  const next = await photos.open();
  await next.get('welstory', 480, `${photos.origin}/a`);
  await expect.poll(() => next.shelf.stateOf('welstory', `${photos.origin}/a`)?.isThere).toBe(false);
  expect(await readdir(photos.folder)).toEqual([]);
});

test('another photo at an address takes the place of the earlier one in every size, whichever is asked for first', async () => {
  let shown: Buffer = PICTURE;
  await using photos = await startProxy((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'image/png' }).end(shown);
  });
  const get = (width: 480 | 1200) => photos.proxy.get('welstory', width, `${photos.origin}/a`);
  const colourOf = async ({ bytes }: { readonly bytes: Buffer }) => (await sharp(bytes).stats()).dominant;
  const before = await colourOf(await get(480));
  expect(before.r).toBeGreaterThan(before.g);
  shown = OTHER;
  for (const width of [1200, 480] as const) {
    const { g, r } = await colourOf(await get(width));
    expect(g).toBeGreaterThan(r);
  }
});

test.each<[string, number, Buffer]>([
  ['an error', 500, Buffer.from('')],
  ['nothing', 200, Buffer.from('')],
  ['half of it', 200, OTHER.subarray(0, OTHER.length / 2)],
  ['a page', 200, Buffer.from('<!doctype html><title>login</title>')],
])('a photo that cannot be looked at again stays as it is: %s', async (_case, status, body) => {
  let fails = false;
  let asked = 0;
  await using photos = await startProxy((_request, response) => {
    asked += 1;
    if (fails) response.writeHead(status, { 'Content-Type': 'image/png' }).end(body);
    else response.writeHead(200, { 'Content-Type': 'image/png' }).end(PICTURE);
  });
  const first = await photos.get('a');
  fails = true;
  // The second look begins when the first has ended.
  for (const looks of [2, 3]) {
    photos.passTime(11 * MINUTE);
    await expect
      .poll(async () => {
        expect(await photos.get('a')).toEqual(first);
        return asked;
      })
      .toBe(looks);
  }
});

const FOLDERS: Readonly<Record<string, (folder: string) => Promise<unknown>>> = {
  'was deleted': (folder) => rm(folder, { recursive: true }),
  'is a file': async (folder) => {
    await rm(folder, { recursive: true });
    await writeFile(folder, 'a file');
  },
  'leads nowhere': async (folder) => {
    await rm(folder, { recursive: true });
    await symlink(join(folder, 'nowhere', 'at all'), folder);
  },
  'leads to itself': async (folder) => {
    await rm(folder, { recursive: true });
    await symlink(folder, folder);
  },
  'is full of folders': async (folder) => {
    const names = await readdir(folder);
    await rm(folder, { recursive: true });
    for (const name of names) await mkdir(join(folder, name, 'x'), { recursive: true });
  },
  'has files with nothing in them': async (folder) => {
    for (const name of await readdir(folder)) await writeFile(join(folder, name), '');
  },
};

test.each(Object.entries(FOLDERS))('photos are shown though their folder %s', async (_case, change) => {
  let asked = 0;
  await using photos = await startProxy((_request, response) => {
    asked += 1;
    response.writeHead(200, { 'Content-Type': 'image/png' }).end(PICTURE);
  });
  const { version } = await photos.get('kept');
  await change(photos.folder);
  for (const name of ['kept', 'new', 'new', 'kept']) expect((await photos.get(name)).version).toBe(version);
  // What cannot be kept on disk is kept in memory.
  expect(asked).toBe(3);
  const next = await photos.open();
  expect((await next.get('welstory', 480, `${photos.origin}/later`)).version).toBe(version);
  expect(photos.troubles.length).toBeLessThanOrEqual(2);
});

test('files of others in the folder are left alone, and a link in it is not followed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'photo-limits-'));
  try {
    const cache = await DiskCache.open(folder, 1e6, () => 0);
    await cache.set('a', Buffer.from('a photo'));
    const [name = ''] = await readdir(folder);
    await writeFile(join(folder, 'secret'), 'of others');
    await mkdir(join(folder, '.config'));
    await rm(join(folder, name));
    await symlink(join(folder, 'secret'), join(folder, name));
    expect(await cache.get('a')).toBeUndefined();
    const again = await DiskCache.open(folder, 1e6, () => 0);
    expect(await again.get('a')).toBeUndefined();
    expect((await readdir(folder)).sort()).toEqual(['.config', name, 'secret'].sort());
  } finally {
    await rm(folder, { recursive: true });
  }
});
