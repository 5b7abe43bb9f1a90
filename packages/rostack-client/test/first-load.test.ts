import { writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { connect } from 'rostack-client';
import { temporaryFolder } from 'test-support/temporary-folder';
import { expect, test } from 'vitest';
import { splitBundle } from '../../../test/support/split-bundle.ts';
import { isLive, take, takeUntil } from './support/collect.ts';
import { station } from './support/observatory.ts';
import { TestGateway } from './support/test-gateway.ts';

async function read<T>(list: AsyncIterable<T>): Promise<T[]> {
  const records: T[] = [];
  for await (const record of list) records.push(record);
  return records;
}

test('what a bundle loads first connects, lists, gets and follows; a filter needs another file', async () => {
  const { entry, first, later } = await splitBundle(
    "export { connect } from 'rostack-client'",
    resolve(import.meta.dirname, '..'),
  );
  expect(later.length).toBeGreaterThan(0);
  await using folder = await temporaryFolder();
  writeFileSync(join(folder.path, 'package.json'), '{ "type": "module" }');
  for (const { path, contents } of first) writeFileSync(join(folder.path, basename(path)), contents);
  const bundle = (await import(/* @vite-ignore */ pathToFileURL(join(folder.path, entry)).href)) as {
    connect: typeof connect;
  };

  await using gateway = await TestGateway.start();
  await gateway.put('stations', station(1), station(2));
  const { token } = gateway.token();
  const bookmarks = Promise.withResolvers<void>();
  let bookmarksAsked = 0;
  await using client = await bundle.connect(
    gateway.url,
    { method: 'shared_token', token },
    {
      bookmarkAfterMs: 20,
      fetch: (input, init) => {
        if (input instanceof URL && /[?&]limit=1$/.test(input.search)) bookmarksAsked += 1;
        if (bookmarksAsked === 3) bookmarks.resolve();
        return fetch(input, init);
      },
    },
  );
  expect(await read(client.list('stations'))).toEqual([station(1), station(2)]);
  expect(await client.get('stations', station(1).id)).toMatchObject({ kind: 'found', record: station(1) });
  await using follow = client.follow('stations');
  await takeUntil(follow, isLive);
  // Their check is in a file of its own: what fails is tried again and ends nothing.
  await bookmarks.promise;
  await gateway.put('stations', station(3));
  await gateway.remove('stations', station(1).id);
  expect(await take(follow, 2)).toMatchObject([{ kind: 'created' }, { kind: 'deleted' }]);
  expect([...follow.records.keys()]).toEqual([station(2).id, station(3).id]);

  const filtered = client.list('stations', { filter: { '/name': { eq: 'a' } } });
  await expect(read(filtered)).rejects.toMatchObject({
    code: 'network_error',
    message: expect.stringContaining('a part of rostack-client could not be read'),
  });
});
