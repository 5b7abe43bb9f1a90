import { describePostgres, queryPostgres } from 'test-support/postgres';
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
import { describeBoth, postgres, type TestDatabase } from './support/databases.ts';
import { executeRaw } from './support/execute-raw.ts';
import { letters } from './support/letters.ts';
import { postgresRelay } from './support/postgres-relay.ts';

const others: ResourceDefinition = { ...letters, name: 'others' };
const PATIENT = { timeout: 120_000 };

interface Application extends AsyncDisposable {
  readonly store: Store;
  readonly alarms: StoreAlarm[];
  /** Runs a statement on the table `letters`, in which `text(n)` is a text of n bytes and `numbers(n)` are from 1 to n. */
  run(statement: string): Promise<void>;
  follow(columns?: readonly string[]): Promise<Mover>;
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
      .replaceAll(' as bytes', isSqlite ? ' as blob' : ' as bytea')
      .replaceAll('letters', table);
    await executeRaw(database, told);
  };
  const [bytes, json] = isSqlite ? ['blob', 'text'] : ['bytea', 'jsonb'];
  await run(`create table letters (id integer primary key, body text, more ${bytes}, told ${json})`);
  return {
    store,
    alarms,
    run,
    follow: async (columns) => {
      const source = { table, key: 'id', columns };
      await attachTable(store, 'letters', source);
      return stack.use(startMover(store, { letters: source }, QUICK));
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

async function followed(mover: Mover): Promise<void> {
  await vi.waitFor(() => expect(mover.status).toMatchObject([{ state: 'following' }]), PATIENT);
}

/** Lengths of the bodies, by id. */
async function lengthsOf(store: Store): Promise<ReadonlyMap<string, number>> {
  const records = await recordsOf(store, 'letters');
  return new Map(records.map(([id, record]) => [id, (record as { body: string | null }).body?.length ?? 0]));
}

const countOf = (lengths: ReadonlyMap<string, number>, length: number): number =>
  [...lengths.values()].filter((each) => each === length).length;

describeBoth('large rows of an attached table', (create) => {
  test('rows that no record can hold are put into quarantine without being read, and the others are copied', async () => {
    await using at = await application(create());
    const { store, alarms } = at;
    await at.run(`insert into letters (id, body) select i, text(5500000) from numbers(20)`);
    await at.run(`insert into letters (id, body) values (101, 'short')`);
    await at.run(`update letters set body = text(1048600) where id = 1`);
    await at.run(`update letters set body = 'x', more = cast(text(900000) as bytes) where id = 2`);
    const mover = await at.follow();
    await store.apply([{ resource: 'others', op: 'put', record: { id: 'a', body: 'goes on' } }]);
    await followed(mover);
    expect(await recordsOf(store, 'letters')).toEqual([['101', expect.objectContaining({ body: 'short' })]]);
    expect(await recordsOf(store, 'others')).toHaveLength(1);
    expect(await readQuarantine(store, 'letters')).toMatchObject({ rows: 20 });
    const reasonOf = async (id: string) => (await findQuarantinedRow(store, 'letters', id))?.reason;
    expect(await reasonOf('1')).toContain('1048600 bytes');
    expect(await reasonOf('2')).toMatch(/ 1\d{6} bytes/);
    expect(await reasonOf('20')).toContain('5500000 bytes');
    const told = alarms.filter(({ code }) => code === 'rows_quarantined');
    expect(told[0]?.message).toMatch(/"1" and 19 more .*1048600 bytes/);
    expect(alarms.filter(({ code }) => code === 'move_failed')).toEqual([]);
    // A row that becomes smaller leaves the quarantine.
    await at.run(`update letters set body = 'small' where id = 1`);
    await vi.waitFor(async () => expect((await lengthsOf(store)).get('1')).toBe(5), PATIENT);
    expect(await readQuarantine(store, 'letters')).toMatchObject({ rows: 19 });
    await at.run(`update letters set body = text(2000000) where id = 101`);
    await vi.waitFor(async () => expect(await reasonOf('101')).toContain('2000000 bytes'), PATIENT);
    expect((await lengthsOf(store)).get('101')).toBe(5);
  }, 120_000);

  test('large rows after small ones are copied, and compared when the table is read again', async () => {
    await using at = await application(create());
    const { store, alarms } = at;
    await at.run(`insert into letters (id, body) select i, text(500) from numbers(400)`);
    await at.run(`insert into letters (id, body) select 400 + i, text(290000) from numbers(30)`);
    await at.run(`insert into letters (id, body) select 500 + i, text(500) from numbers(100)`);
    const first = await at.follow();
    await followed(first);
    await first.close();
    const lengths = await lengthsOf(store);
    expect([lengths.size, countOf(lengths, 290_000), countOf(lengths, 500)]).toEqual([530, 30, 500]);
    const { position } = await store.source('letters').head();
    expect(position).toBe(530);
    // Nobody follows now: what is noted is dropped when the table is attached in another way, and all is compared.
    await at.run(`delete from letters where id = 401`);
    await followed(await at.follow(['id', 'body']));
    await vi.waitFor(async () => expect((await lengthsOf(store)).size).toBe(529), PATIENT);
    expect(alarms).toEqual([]);
  }, 120_000);

  test('rows that one statement makes large are moved, or put into quarantine, while a mover follows', async () => {
    await using at = await application(create());
    const { store, alarms } = at;
    await at.run(`insert into letters (id, body) select i, 'x' from numbers(200)`);
    const mover = await at.follow();
    await followed(mover);
    await at.run(
      `update letters set body = case when id <= 40 then text(1100000) when id <= 80 then text(290000) else 'y' end`,
    );
    await vi.waitFor(async () => {
      const lengths = await lengthsOf(store);
      expect([lengths.size, countOf(lengths, 290_000), countOf(lengths, 1)]).toEqual([200, 40, 160]);
      expect(await readQuarantine(store, 'letters')).toMatchObject({ rows: 40 });
    }, PATIENT);
    await at.run(`delete from letters where id <= 40`);
    await vi.waitFor(async () => expect((await lengthsOf(store)).size).toBe(160), PATIENT);
    expect(await readQuarantine(store, 'letters')).toMatchObject({ rows: 0 });
    await followed(mover);
    expect(alarms.filter(({ code }) => code !== 'rows_quarantined')).toEqual([]);
  }, 120_000);
});

describePostgres('a table of PostgreSQL with large rows', () => {
  test('no answer of the server is larger than a batch, whatever one statement changes', async () => {
    await using relay = await postgresRelay();
    await using at = await application(postgres(relay.url));
    const { store, alarms } = at;
    await at.run(`insert into letters (id, body) select i, 'x' from numbers(200)`);
    const mover = await at.follow();
    await followed(mover);
    await at.run(
      `update letters set body = case when id <= 60 then text(1100000) when id <= 68 then text(1000000) else 'y' end`,
    );
    await vi.waitFor(async () => {
      expect(mover.status).toMatchObject([{ movedRows: 200, refusedRows: 60, state: 'following' }]);
    }, PATIENT);
    expect(relay.largestBytes).toBeGreaterThan(3_000_000);
    expect(relay.largestBytes).toBeLessThan(6_000_000);
    expect(countOf(await lengthsOf(store), 1_000_000)).toBe(8);
    expect(await readQuarantine(store, 'letters')).toMatchObject({ rows: 60 });
    expect(alarms.map(({ code }) => code)).toEqual(['rows_quarantined']);
  }, 120_000);

  test('no answer of the server is larger than a chunk, whatever the rows have', async () => {
    await using relay = await postgresRelay();
    await using at = await application(postgres(relay.url));
    const { store, alarms } = at;
    await at.run(`insert into letters (id, body) select i, text(500) from numbers(400)`);
    await at.run(`insert into letters (id, body) select 1000 + i, text(5500000) from numbers(100)`);
    await at.run(
      `insert into letters (id, body, told) select 2000 + i, 'json', to_jsonb(array_fill(i, array[200000])) from numbers(10)`,
    );
    await at.run(`insert into letters (id, body) select 3000 + i, text(1000000) from numbers(8)`);
    await at.run(`insert into letters (id, body) select 4000 + i, repeat(E'\\x01', 150000) from numbers(10)`);
    await followed(await at.follow());
    const { largestAnswerBytes } = relay;
    const lengths = await lengthsOf(store);
    expect(lengths.size).toBe(428);
    expect(await readQuarantine(store, 'letters')).toMatchObject({ rows: 100 });
    expect(alarms.map(({ code }) => code)).toEqual(['rows_quarantined']);
    expect(largestAnswerBytes).toBeGreaterThan(3_000_000);
    expect(largestAnswerBytes).toBeLessThan(12_000_000);
    expect(relay.bytes).toBeLessThan(80_000_000);
  }, 120_000);

  test.each(['chunk', 'batch'])(
    'a %s that is too large for some limit becomes smaller until it is not',
    async (what) => {
      await using database = postgres();
      await using at = await application(database);
      const insert = () => at.run(`insert into letters (id, body) select i, 'x' from numbers(30)`);
      if (what === 'chunk') await insert();
      else await followed(await at.follow());
      await queryPostgres(`create function ${database.schema}.limited() returns trigger language plpgsql as $$
        begin
          if (select count(*) from written) > 12 then raise 'too many at once'; end if;
          return null;
        end $$;
        create trigger limited after insert on ${database.schema}.log_1 referencing new table as written
          for each statement execute function ${database.schema}.limited()`);
      if (what === 'chunk') await followed(await at.follow());
      else await insert();
      await vi.waitFor(async () => expect((await lengthsOf(at.store)).size).toBe(30), PATIENT);
      expect(at.alarms[0]).toMatchObject({ code: 'move_failed' });
      expect(at.alarms[0]?.message).toContain('too many at once');
    },
    120_000,
  );
});
