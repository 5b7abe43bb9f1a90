import { describePostgres } from 'test-support/postgres';
import { expect, test, vi } from 'vitest';
import type { AttachedResource } from '../src/attach/batch/attached-resource.ts';
import type { Batch } from '../src/attach/batch/batch.ts';
import { checkBatch } from '../src/attach/batch/check-batch.ts';
import { ChunkAhead } from '../src/attach/batch/chunk-ahead.ts';
import { writeBatch } from '../src/attach/batch/write-batch.ts';
import { readInbox } from '../src/attach/postgres/read/read-inbox.ts';
import { readChunk } from '../src/attach/postgres/read/read-table.ts';
import { attachTable } from '../src/index.ts';
import { recordsOf } from './support/attached.ts';
import { postgres, type TestDatabase } from './support/databases.ts';
import { type AppTable, appTable, observations } from './support/observations.ts';
import { takenOver } from './support/taken-over.ts';

const CHUNK = 3;
const NOTHING: ReadonlySet<string> = new Set();
const ALONE = { wasEmpty: true, isAlone: true };

/** A leader of a table with rows 1 to 6, and how often its chunks were read. */
async function copying(database: TestDatabase, app: AppTable) {
  const store = await database.open({ resources: [observations] });
  await app.query(`insert into ${app.table} (id, station) select i, 'old' from generate_series(1, 6) i`);
  await attachTable(store, 'observations', app.source);
  const { leader, internals } = await takenOver(store);
  const read = vi.fn<typeof readChunk>();
  const ahead = new ChunkAhead(async (...asked) => {
    const chunk = await readChunk(...asked);
    await read(...asked);
    return chunk;
  });
  const take = async (resource: AttachedResource, moved = NOTHING) => {
    const chunk = await ahead.take(resource, CHUNK, moved);
    if (chunk === undefined) throw new Error('the table was changed');
    return chunk;
  };
  const write = async (resource: AttachedResource, batch: Batch) => {
    const checked =
      'checked' in batch ? (batch as Awaited<ReturnType<typeof take>>) : await checkBatch(resource, batch);
    await internals.write(() => writeBatch(resource, checked));
    return after(resource, batch);
  };
  return { store, leader: { ...leader, copy: ALONE }, ahead, read, take, write };
}

function after(resource: AttachedResource, { progress }: Batch): AttachedResource {
  return { ...resource, attachment: { ...resource.attachment, ...progress } };
}

describePostgres('a chunk that is read while the last one is written', () => {
  test('brings back nothing of what was moved since', async () => {
    await using database = postgres();
    await using app = await appTable(database);
    const { store, leader, ahead, read, take, write } = await copying(database, app);
    await using _store = store;
    const first = await take(leader);
    ahead.begin(after(leader, first), CHUNK);
    let current = await write(leader, first);
    await vi.waitFor(() => expect(read).toHaveBeenCalledTimes(2));
    await app.query(`update ${app.table} set station = 'new' where id = 4; delete from ${app.table} where id = 5;
      update ${app.table} set id = 60 where id = 6; insert into ${app.table} (id, station) values (7, 'new')`);
    const waiting = await readInbox(current);
    if (waiting === undefined || 'change' in waiting) throw new Error('nothing waits');
    current = { ...(await write(current, waiting)), copy: { wasEmpty: true, isAlone: false } };
    current = await write(current, await take(current, new Set(waiting.changes.map(({ id }) => id))));
    expect(read).toHaveBeenCalledTimes(2);
    expect(current.attachment).toMatchObject({ phase: 'load', place: '6' });
    current = await write(current, await take(current));
    expect(current.attachment).toMatchObject({ phase: 'live', place: null });
    expect(await recordsOf(store)).toEqual(await app.expected());
  });

  test('is read again where something else comes next', async () => {
    await using database = postgres();
    await using app = await appTable(database);
    const { store, leader, ahead, read, take } = await copying(database, app);
    await using _store = store;
    const first = await take(leader);
    ahead.begin(after(leader, first), CHUNK);
    expect((await take(leader)).changes.map(({ id }) => id)).toEqual(['1', '2', '3']);
    ahead.begin(after(leader, first), CHUNK - 1);
    expect((await take(after(leader, first))).changes.map(({ id }) => id)).toEqual(['4', '5', '6']);
    ahead.begin(after(leader, first), CHUNK);
    await ahead.drop();
    expect(read).toHaveBeenCalledTimes(6);
  });

  test('tells of its failure when it is taken', async () => {
    const failure = new Error('the server is gone');
    const ahead = new ChunkAhead(() => Promise.reject(failure));
    await using database = postgres();
    await using app = await appTable(database);
    const { store, leader } = await copying(database, app);
    await using _store = store;
    ahead.begin(leader, CHUNK);
    await expect(ahead.take(leader, CHUNK, NOTHING)).rejects.toBe(failure);
    ahead.begin(leader, CHUNK);
    await expect(ahead.drop()).resolves.toBeUndefined();
  });
});

describePostgres('the last chunk of a table', () => {
  test.each([
    ['that had no record before is followed by nothing', ALONE, 'live'],
    [
      'that had some is followed by a search for those without a row',
      { wasEmpty: false, isAlone: false },
      'sweep',
    ],
    ['that another leader began to copy, too', undefined, 'sweep'],
  ] as const)('of a resource %s', async (_name, copy, phase) => {
    await using database = postgres();
    await using app = await appTable(database);
    const { store, leader } = await copying(database, app);
    await using _store = store;
    const { copy: _copy, ...rest } = leader;
    const resource = copy === undefined ? rest : { ...rest, copy };
    expect(await readChunk(resource, 10)).toMatchObject({ progress: { phase, place: null } });
  });
});
