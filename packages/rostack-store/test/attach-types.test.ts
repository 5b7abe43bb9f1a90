import { Client } from 'pg';
import { describePostgres, POSTGRES_URL } from 'test-support/postgres';
import { expect, test, vi } from 'vitest';
import { attachTable, type ResourceDefinition, startMover } from '../src/index.ts';
import { following, QUICK, recordsOf } from './support/attached.ts';
import { postgres } from './support/databases.ts';
import { appTable } from './support/observations.ts';

const COLUMNS = `key uuid primary key, small int2, whole int4, big int8, big_text int8, amount numeric, amount_text numeric(30,10),
  single float4, double float8, flag bool, words text, short varchar(9), fixed char(4), bytes bytea,
  at timestamptz, at_local timestamp, day date, hour time, hour_zone timetz, span interval, address inet, net cidr,
  doc json, docb jsonb, mood MOOD, positive POSITIVE, list int[], nested text[], floats float8[], bigs int8[], bigs_text int8[], moods MOOD[],
  absent text, nothing text`;

const VALUES = `'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', -32768, 2147483647, 9007199254740991, 9223372036854775807, 0.10, 12345678901234567890.12,
  0.1, 0.1, true, E'tab\\t"quoted" \\\\ 한글 😀', 'nine', 'ab', '\\x00ff10',
  '2026-11-21 20:00:00.123456+09', '2026-11-21 20:00:00.5', '2026-11-21', '20:00', '20:00:00+09', '1 year 2 days 03:00:04.5',
  '10.0.0.1', '10.0.0.0/8', '{"b": 1.0, "a": "\\u0000"}', '{"b":  [null]}', 'very "bad"', 7,
  '{1,null,3}', '{{a,"b c"},{null,d}}', '{0.1,1e300}', '{1,2}', '{9223372036854775807,null}', '{good}', null, null`;

const RECORD = {
  id: 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
  small: -32_768,
  whole: 2_147_483_647,
  big: 9_007_199_254_740_991,
  big_text: '9223372036854775807',
  amount: 0.1,
  amount_text: '12345678901234567890.1200000000',
  single: 0.1,
  double: 0.1,
  flag: true,
  words: 'tab\t"quoted" \\ 한글 😀',
  short: 'nine',
  fixed: 'ab  ',
  bytes: 'AP8Q',
  at: '2026-11-21T11:00:00.123456Z',
  at_local: '2026-11-21T20:00:00.5',
  day: '2026-11-21',
  hour: '20:00:00',
  hour_zone: '20:00:00+09',
  span: 'P1Y2DT3H4.5S',
  address: '10.0.0.1',
  net: '10.0.0.0/8',
  doc: { b: 1, a: '\u0000' },
  docb: { b: [null] },
  mood: 'very "bad"',
  positive: 7,
  list: [1, null, 3],
  nested: [
    ['a', 'b c'],
    [null, 'd'],
  ],
  floats: [0.1, 1e300],
  bigs: [1, 2],
  bigs_text: ['9223372036854775807', null],
  moods: ['good'],
  nothing: null,
};

const definition: ResourceDefinition = {
  name: 'observations',
  idPointer: '/id',
  schema: {
    type: 'object',
    required: ['id', 'big_text'],
    properties: {
      id: { type: 'string', format: 'uuid' },
      big_text: { type: 'string' },
      amount_text: { type: ['string', 'null'] },
      at: { type: 'string', format: 'date-time' },
      span: { type: 'string' },
      bigs_text: { type: 'array', items: { type: ['string', 'null'] } },
      absent: { type: 'string' },
      nothing: { type: ['string', 'null'] },
    },
  },
};

/** Settings of an application that change how PostgreSQL writes values. */
const HOSTILE = `set timezone = 'America/St_Johns'; set datestyle = 'German, DMY'; set extra_float_digits = -15;
  set intervalstyle = 'postgres_verbose'; set bytea_output = 'escape'; set standard_conforming_strings = on; set search_path = EVIL, pg_catalog`;

describePostgres('the types of columns', () => {
  test('become the same JSON through the copy and through the trigger, whatever the writer has set', async () => {
    await using database = postgres();
    await using app = await appTable(database);
    const { schema } = app;
    const named = (text: string) =>
      text
        .replaceAll('MOOD', `${schema}.mood`)
        .replaceAll('POSITIVE', `${schema}.positive`)
        .replaceAll('EVIL', schema);
    await app.query(`create type ${schema}.mood as enum ('good', 'very "bad"');
      create domain ${schema}.positive as int check (value > 0);
      create function ${schema}.to_json(anyelement) returns json language sql as $$ select '"evil"'::json $$;
      create function ${schema}.evil(text, text) returns bool language sql as $$ select true $$;
      create operator ${schema}.= (leftarg = text, rightarg = text, function = ${schema}.evil)`);
    await app.query(named(`create table ${schema}.typed (${COLUMNS})`));
    await app.query(`insert into ${schema}.typed values (${VALUES})`);
    await using store = await database.open({ resources: [definition] });
    const source = { table: `${schema}.typed`, key: 'key' };
    await attachTable(store, 'observations', source);
    await using mover = startMover(store, { observations: source }, QUICK);
    await following(mover);
    expect(await recordsOf(store)).toEqual([[RECORD.id, RECORD]]);

    await app.query(`delete from ${schema}.typed`);
    await vi.waitFor(async () => {
      expect(await recordsOf(store)).toEqual([]);
    });
    const writer = new Client({ connectionString: POSTGRES_URL });
    await writer.connect();
    try {
      await writer.query(named(HOSTILE));
      await writer.query(`insert into ${schema}.typed values (${VALUES})`);
    } finally {
      await writer.end();
    }
    await vi.waitFor(async () => {
      expect(await recordsOf(store)).toEqual([[RECORD.id, RECORD]]);
    });
  });

  test('of extensions, ranges and composites are taken as text, the same whatever the writer has set', async () => {
    await using database = postgres();
    await using app = await appTable(database);
    const { schema } = app;
    await app.query(`create extension citext schema ${schema}; create extension hstore schema ${schema};
      create type ${schema}.pair as (a int, b text);
      create function ${schema}.told(${schema}.citext) returns text language sql as $$ select 'evil' $$;
      create table ${schema}.typed (id int primary key, email ${schema}.citext, more ${schema}.hstore, span tstzrange,
        twin ${schema}.pair, cash money, list ${schema}.citext[], whole int)`);
    const insert = (id: number) =>
      `insert into ${schema}.typed values (${id}, 'Ann@Example.org', 'k=>v', '[2026-11-21 20:00+09,)', '(1,"x y")', 1.5, '{A,b}', 7); insert into ${schema}.typed (id) values (${id + 1})`;
    await app.query(insert(1));
    await using store = await database.open({ resources: [{ ...definition, schema: { type: 'object' } }] });
    const names = ['email', 'more', 'span', 'twin', 'cash', 'list', 'whole'];
    const columns = names.map((column) => ({ column, as: 'text' as const }));
    const source = { table: `${schema}.typed`, key: 'id', columns };
    await attachTable(store, 'observations', source);
    await using mover = startMover(store, { observations: source }, QUICK);
    await following(mover);
    const writer = new Client({ connectionString: POSTGRES_URL });
    await writer.connect();
    try {
      await writer.query(HOSTILE.replaceAll('EVIL', schema));
      await writer.query(insert(3));
    } finally {
      await writer.end();
    }
    const texts = {
      email: 'Ann@Example.org',
      more: '"k"=>"v"',
      span: '["2026-11-21 11:00:00+00",)',
      twin: '(1,"x y")',
      cash: '$1.50',
      list: '{A,b}',
      whole: '7',
    };
    const nothing = Object.fromEntries(names.map((name) => [name, null]));
    await vi.waitFor(async () => {
      expect((await recordsOf(store)).map(([, record]) => record)).toEqual([
        { id: '1', ...texts },
        { id: '2', ...nothing },
        { id: '3', ...texts },
        { id: '4', ...nothing },
      ]);
    });
    await app.query(
      `alter table ${schema}.typed alter email type text; update ${schema}.typed set email = 'b' where id = 2`,
    );
    await vi.waitFor(async () => {
      expect((await recordsOf(store))[1]).toMatchObject(['2', { email: 'b' }]);
    });
    await following(mover);
  });

  test('a table of a hundred and fifty columns, and ids of any text', async () => {
    await using database = postgres();
    await using app = await appTable(database);
    const columns = Array.from({ length: 150 }, (_, index) => `c${index} int default ${index}`);
    await app.query(`create table ${app.schema}.wide (id text primary key, ${columns.join(', ')})`);
    await using store = await database.open({
      resources: [{ ...definition, schema: { type: 'object' } }],
    });
    const source = { table: `${app.schema}.wide`, key: 'id' };
    const ids = [`it's "one"`, '한글 id', ' ', '\\', 'A', 'a', 'x'.repeat(513)];
    await app.query(
      `insert into ${app.schema}.wide (id) select unnest($a$${toArray(ids.slice(0, 4))}$a$::text[])`,
    );
    await attachTable(store, 'observations', source);
    await using mover = startMover(store, { observations: source }, QUICK);
    await following(mover);
    await app.query(
      `insert into ${app.schema}.wide (id) select unnest($a$${toArray(ids.slice(4))}$a$::text[])`,
    );
    await vi.waitFor(async () => {
      expect(new Set((await recordsOf(store)).map(([id]) => id))).toEqual(new Set(ids.slice(0, 6)));
    });
    // The id that is too long is in quarantine; its deletion is nothing to tell.
    expect(mover.status).toMatchObject([{ refusedRows: 1 }]);
    await app.query(`delete from ${app.schema}.wide where length(id) > 2`);
    await vi.waitFor(async () => {
      expect((await recordsOf(store)).map(([id]) => id)).toEqual([' ', 'A', '\\', 'a']);
    });
    expect(await app.query(`select id from ${database.schema}.quarantine`)).toEqual([]);
  });
});

function toArray(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`;
}
