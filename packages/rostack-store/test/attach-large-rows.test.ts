import { expect, test, vi } from 'vitest';
import {
  attachTable,
  findQuarantinedRow,
  type Mover,
  type ResourceDefinition,
  readQuarantine,
  type Store,
  type StoreAlarm,
  type StoreSettings,
  startMover,
} from '../src/index.ts';
import { QUICK, recordsOf } from './support/attached.ts';
import { describeBoth, type TestDatabase } from './support/databases.ts';
import { executeRaw } from './support/execute-raw.ts';

const letters: ResourceDefinition = {
  name: 'letters',
  idPointer: '/id',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['id', 'body'],
    properties: { id: { type: 'string' }, body: { type: ['string', 'null'] }, more: true },
  },
  events: [
    { name: 'letter.made', transition: 'create' },
    { name: 'letter.changed', transition: 'update' },
    { name: 'letter.gone', transition: 'delete' },
  ],
};
const others: ResourceDefinition = { ...letters, name: 'others' };
const PATIENT = { timeout: 120_000 };

interface Application extends AsyncDisposable {
  readonly store: Store;
  readonly alarms: StoreAlarm[];
  /** Runs a statement on the table `letters`, in which `text(n)` is a text of n bytes and `numbers(n)` are from 1 to n. */
  run(statement: string): Promise<void>;
  follow(): Promise<Mover>;
}

async function application(
  database: TestDatabase,
  settings: Partial<StoreSettings> = {},
): Promise<Application> {
  const stack = new AsyncDisposableStack();
  stack.use(database);
  const alarms: StoreAlarm[] = [];
  const onAlarm = (alarm: StoreAlarm) => alarms.push(alarm);
  const store = stack.use(await database.open({ resources: [letters, others], onAlarm, ...settings }));
  const isSqlite = database.url.startsWith('sqlite:');
  const table = isSqlite ? 'letters' : `${database.schema}.letters`;
  const run = async (statement: string): Promise<void> => {
    const told = statement
      .replaceAll(
        /text\((\d+)\)/g,
        isSqlite ? `replace(hex(zeroblob($1 / 2)), '00', 'xy')` : `repeat('xy', $1 / 2)`,
      )
      .replaceAll(
        /numbers\((\d+)\)/g,
        isSqlite
          ? `(with recursive n (i) as (select 1 union all select i + 1 from n where i < $1) select i from n)`
          : `generate_series(1, $1) i`,
      )
      .replaceAll('letters', table);
    await executeRaw(database, told);
  };
  await run(`create table letters (id integer primary key, body text, more ${isSqlite ? 'blob' : 'bytea'})`);
  const source = { table, key: 'id' };
  return {
    store,
    alarms,
    run,
    follow: async () => {
      await attachTable(store, 'letters', source);
      return stack.use(startMover(store, { letters: source }, QUICK));
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

async function followed(mover: Mover): Promise<void> {
  await vi.waitFor(() => expect(mover.status).toMatchObject([{ state: 'following' }]), PATIENT);
}

describeBoth('large rows of an attached table', (create) => {
  test('rows that no record can hold are put into quarantine without being read, and the others are copied', async () => {
    await using at = await application(create());
    const { store, alarms } = at;
    await at.run(`insert into letters (id, body) select i, text(5500000) from numbers(100)`);
    await at.run(`insert into letters (id, body) values (101, 'short')`);
    const mover = await at.follow();
    await store.apply([{ resource: 'others', op: 'put', record: { id: 'a', body: 'goes on' } }]);
    await followed(mover);
    expect(await recordsOf(store, 'letters')).toEqual([['101', expect.objectContaining({ body: 'short' })]]);
    expect(await recordsOf(store, 'others')).toHaveLength(1);
    expect(await readQuarantine(store, 'letters')).toMatchObject({ rows: 100 });
    expect(await findQuarantinedRow(store, 'letters', '100')).toMatchObject({
      reason: expect.stringContaining('5500000 bytes'),
    });
    const told = alarms.filter(({ code }) => code === 'rows_quarantined');
    expect(told[0]?.message).toMatch(/"1".*5500000 bytes/);
    expect(alarms.filter(({ code }) => code === 'move_failed')).toEqual([]);
  }, 120_000);
});
