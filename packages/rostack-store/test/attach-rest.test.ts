import { Client } from 'pg';
import { describePostgres, POSTGRES_URL } from 'test-support/postgres';
import { expect, onTestFinished, test, vi } from 'vitest';
import { postgresReader } from '../src/attach/postgres/read/reader.ts';
import { attachTable, startMover } from '../src/index.ts';
import { attached, equal } from './support/attached.ts';

type Attached = Awaited<ReturnType<typeof attached>>;

/** Hears what is sent on the store's channel about inboxes. */
async function notesOf({ database }: Attached): Promise<string[]> {
  const client = new Client({ connectionString: POSTGRES_URL });
  await client.connect();
  onTestFinished(() => client.end());
  const heard: string[] = [];
  client.on('notification', ({ payload = '' }) => {
    if (payload.startsWith('@')) heard.push(payload);
  });
  await client.query(`listen "rostack_store_${database.schema}"`);
  return heard;
}

const isAsleep = async ({ app, database }: Attached): Promise<boolean> => {
  const [row] = await app.query(`select last_value = 1 as "isAsleep" from ${database.schema}.asleep_1`);
  return row?.['isAsleep'] === true;
};

describePostgres('the leader of a table that nobody changes', () => {
  test('sleeps, is woken by the next writer, and sleeps again', async () => {
    await using at = await attached();
    await at.mover.close();
    const heard = await notesOf(at);
    await using mover = startMover(at.store, { observations: at.app.source });
    for (const id of [1, 2]) {
      await vi.waitFor(async () => expect(await isAsleep(at)).toBe(true));
      await at.app.query(`insert into ${at.app.table} (id, station) values (${id}, 'new')`);
      await equal(at);
      await vi.waitFor(() => expect(heard).toEqual(Array.from({ length: id }, () => '@1')));
    }
    expect(mover.status[0]?.state).toBe('following');
  });

  test('reads the inbox once for a change, and then polls it', async () => {
    await using at = await attached(undefined, {}, () => Promise.resolve(), {});
    await vi.waitFor(async () => expect(await isAsleep(at)).toBe(true));
    const read = vi.spyOn(postgresReader, 'readInbox');
    const poll = vi.spyOn(postgresReader, 'pollInboxes');
    onTestFinished(() => void vi.restoreAllMocks());
    await at.app.query(`insert into ${at.app.table} (id, station) values (1, 'new')`);
    await equal(at);
    await vi.waitFor(async () => expect(await isAsleep(at)).toBe(true));
    expect(read).toHaveBeenCalledTimes(1);
    expect(poll.mock.calls.length).toBeGreaterThan(3);
  });

  test('is notified once, whoever writes how often; while it is awake nobody notifies', async () => {
    await using at = await attached();
    await at.mover.close();
    const heard = await notesOf(at);
    const { app, database } = at;
    const write = (id: number) => app.query(`insert into ${app.table} (id, station) values (${id}, 'new')`);
    await write(1);
    await app.query(`select setval('${database.schema}.asleep_1', 1)`);
    for (const id of [2, 3, 4]) await write(id);
    expect(await isAsleep(at)).toBe(false);
    await app.query(`select setval('${database.schema}.asleep_1', 1)`);
    await app.query(
      `insert into ${app.table} (id, station) select n, 'many' from generate_series(10, 999) n`,
    );
    expect(await isAsleep(at)).toBe(false);
    await app.query(`select setval('${database.schema}.asleep_1', 1)`);
    await app.query(`truncate ${app.table}`);
    await app.query(`notify "rostack_store_${database.schema}", '@end'`);
    await vi.waitFor(() => expect(heard.at(-1)).toBe('@end'));
    expect(heard).toEqual(['@1', '@1', '@1', '@end']);
  });

  test('where the sequence is gone writers go on, and the table is followed again once it is attached', async () => {
    await using at = await attached();
    const { app, database, mover, store } = at;
    await app.query(`drop sequence ${database.schema}.asleep_1`);
    await app.query(`insert into ${app.table} (id, station) values (1, 'new')`);
    const reason = expect.stringContaining('asleep is there: false, was true') as string;
    await vi.waitFor(() => expect(mover.status).toMatchObject([{ state: 'stopped', reason }]));
    await attachTable(store, 'observations', app.source);
    await equal(at);
    expect(await isAsleep(at)).toBe(false);
  });
});
