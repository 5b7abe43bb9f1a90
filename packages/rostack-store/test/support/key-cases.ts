import type { ResourceDefinition, TableSource } from '../../src/index.ts';

/** A resource of what every table with a key has. */
export const noted: ResourceDefinition = {
  name: 'observations',
  idPointer: '/id',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['id', 'note'],
    properties: { id: { type: 'string' }, note: { type: 'string' } },
  },
};

/** A table, by its key. */
export interface KeyCase {
  /** What runs before the table is made; `S` is the application's schema. */
  readonly before?: string;
  /** The columns of the key. */
  readonly columns: string;
  readonly key?: TableSource['key'];
  /** Names of the columns, where they differ from `key`. */
  readonly names?: string;
  readonly table?: string;
  /** Instead of `create table`, for a table that is made otherwise. */
  readonly create?: string;
  /** Of the first four rows: values in SQL, and ids. */
  readonly rows: readonly [KeyRow, KeyRow, KeyRow, KeyRow];
}

/** A row's key as SQL has it, and the id that it becomes. */
export type KeyRow = readonly [values: string, id: string];

/** Every kind of key that a table can be attached by. */
export const KEY_CASES: Readonly<Record<string, KeyCase>> = {
  smallint: {
    columns: 'k int2 primary key',
    rows: [
      ['-32768', '-32768'],
      ['0', '0'],
      ['7', '7'],
      ['32767', '32767'],
    ],
  },
  integer: {
    columns: 'k int4 primary key',
    rows: [
      ['-2147483648', '-2147483648'],
      ['0', '0'],
      ['10', '10'],
      ['9', '9'],
    ],
  },
  bigint: {
    columns: 'k int8 primary key',
    rows: [
      ['-9223372036854775808', '-9223372036854775808'],
      ['9007199254740993', '9007199254740993'],
      ['10', '10'],
      ['9', '9'],
    ],
  },
  uuid: {
    columns: 'k uuid primary key',
    rows: [
      [`'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'`, 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
      [`'00000000-0000-0000-0000-000000000000'`, '00000000-0000-0000-0000-000000000000'],
      [`'00000000-0000-0000-0000-000000000001'`, '00000000-0000-0000-0000-000000000001'],
      [`'00000000-0000-0000-0000-000000000002'`, '00000000-0000-0000-0000-000000000002'],
    ],
  },
  text: {
    columns: 'k text primary key',
    rows: [
      [`'a'`, 'a'],
      [`'A'`, 'A'],
      [`'~,'`, '~,'],
      [`'한글 ''"/\\'`, `한글 '"/\\`],
    ],
  },
  varchar: {
    columns: 'k varchar(9) primary key',
    rows: [
      [`'a'`, 'a'],
      [`'a '`, 'a '],
      [`'b'`, 'b'],
      [`'B'`, 'B'],
    ],
  },
  'char(n), without the blanks at its end': {
    columns: 'k char(4) primary key',
    rows: [
      [`'a'`, 'a'],
      [`' b  '`, ' b'],
      [`'c'`, 'c'],
      [`'dddd'`, 'dddd'],
    ],
  },
  'a text whose collation takes small letters for capital ones': {
    before: `create collation S.folding (provider = icu, locale = 'und-u-ks-level2', deterministic = false)`,
    columns: 'k text collate S.folding primary key',
    rows: [
      [`'b'`, 'b'],
      [`'a'`, 'a'],
      [`'ä'`, 'ä'],
      [`'Ä'`, 'Ä'],
    ],
  },
  'a text in another collation than the database': {
    columns: 'k text collate "und-x-icu" primary key',
    rows: [
      [`'b'`, 'b'],
      [`'a'`, 'a'],
      [`'A'`, 'A'],
      [`'B'`, 'B'],
    ],
  },
  date: {
    columns: 'k date primary key',
    rows: [
      [`'2026-02-01'`, '2026-02-01'],
      [`'0001-01-01'`, '0001-01-01'],
      [`'9999-12-31'`, '9999-12-31'],
      [`'2024-02-29'`, '2024-02-29'],
    ],
  },
  timestamptz: {
    columns: 'k timestamptz primary key',
    rows: [
      [`'2026-11-01 01:30:00-02:30'`, '2026-11-01T04:00:00Z'],
      // The same hour of the clock in the writer's zone, an hour later.
      [`'2026-11-01 01:30:00-03:30'`, '2026-11-01T05:00:00Z'],
      [`'2026-11-21 20:00:00.123456+09'`, '2026-11-21T11:00:00.123456Z'],
      [`'0001-01-01 00:00:00+00'`, '0001-01-01T00:00:00Z'],
    ],
  },
  timestamp: {
    columns: 'k timestamp primary key',
    rows: [
      [`'2026-11-01 01:30:00'`, '2026-11-01T01:30:00'],
      [`'2026-11-01 01:30:00.5'`, '2026-11-01T01:30:00.5'],
      [`'2026-11-01'`, '2026-11-01T00:00:00'],
      [`'9999-12-31 23:59:59.999999'`, '9999-12-31T23:59:59.999999'],
    ],
  },
  'numeric without a fraction': {
    columns: 'k numeric(30, 0) primary key',
    rows: [
      ['123456789012345678901234567890', '123456789012345678901234567890'],
      ['-1', '-1'],
      ['1e3', '1000'],
      ['0', '0'],
    ],
  },
  'a domain over a domain over numeric': {
    before: 'create domain S.whole as numeric(12); create domain S.even as S.whole check (value % 2 = 0)',
    columns: 'k S.even primary key',
    rows: [
      ['2', '2'],
      ['-4', '-4'],
      ['10', '10'],
      ['100', '100'],
    ],
  },
  'a domain over varchar': {
    before: 'create domain S.code as varchar(4) collate "C"',
    columns: 'k S.code primary key',
    rows: [
      [`'a'`, 'a'],
      [`'A'`, 'A'],
      [`'b'`, 'b'],
      [`'B'`, 'B'],
    ],
  },
  'a domain over timestamptz': {
    before: 'create domain S.moment as timestamptz(0)',
    columns: 'k S.moment primary key',
    rows: [
      [`'2026-11-01 01:30:00-02:30'`, '2026-11-01T04:00:00Z'],
      [`'2026-11-01 01:30:00-03:30'`, '2026-11-01T05:00:00Z'],
      [`'2026-11-01 01:30:00-01:30'`, '2026-11-01T03:00:00Z'],
      [`'2026-11-01 01:30:00+00'`, '2026-11-01T01:30:00Z'],
    ],
  },
  'a unique column without a primary key': {
    columns: 'k int4 not null, unique (k) include (note)',
    rows: [
      ['1', '1'],
      ['2', '2'],
      ['3', '3'],
      ['4', '4'],
    ],
  },
  'a generated column': {
    columns: `base int4 not null, k text generated always as ('s' || base) stored unique not null`,
    names: 'base',
    key: 'k',
    rows: [
      ['1', 's1'],
      ['2', 's2'],
      ['3', 's3'],
      ['4', 's4'],
    ],
  },
  'a station and a day': {
    columns: 'station text, day date, primary key (station, day)',
    key: ['station', 'day'],
    rows: [
      [`'seoul', '2026-11-21'`, 'seoul,2026-11-21'],
      [`'seoul', '2026-11-22'`, 'seoul,2026-11-22'],
      [`'a,b~c', '2026-11-21'`, 'a~1b~0c,2026-11-21'],
      [`'', '2026-11-21'`, ',2026-11-21'],
    ],
  },
  'two texts, one of them in a folding collation, in descending order': {
    before: `create collation S.folding (provider = icu, locale = 'und-u-ks-level2', deterministic = false)`,
    columns: 'a text collate S.folding not null, b varchar(5) not null',
    key: ['a', 'b'],
    rows: [
      [`',', ''`, '~1,'],
      [`'', ','`, ',~1'],
      [`'é', '~1'`, 'é,~01'],
      [`'É', '~1'`, 'É,~01'],
    ],
  },
  'a partition, by two columns': {
    before: `create table S.parent (station text collate "C", day date, note text not null default 'x', primary key (station, day)) partition by range (day)`,
    create: `create table S.keyed partition of S.parent for values from ('2026-01-01') to ('2027-01-01')`,
    columns: '',
    key: ['station', 'day'],
    rows: [
      [`'a', '2026-11-21'`, 'a,2026-11-21'],
      [`'A', '2026-11-21'`, 'A,2026-11-21'],
      [`'a', '2026-11-22'`, 'a,2026-11-22'],
      [`'a', '2026-11-23'`, 'a,2026-11-23'],
    ],
  },
  'all kinds of columns': {
    columns: `a int8, b uuid, c timestamptz, d numeric(5, 0), e char(3), f timestamp, g int2, primary key (a, b, c, d, e, f, g)`,
    key: ['a', 'b', 'c', 'd', 'e', 'f', 'g'],
    rows: [1, 2, 3, 4].map(
      (n): KeyRow => [
        `${n}, '00000000-0000-0000-0000-00000000000${n}', '2026-11-01 01:30:00-03:30', -${n}, 'x', '2026-11-01', ${n}`,
        `${n},00000000-0000-0000-0000-00000000000${n},2026-11-01T05:00:00Z,-${n},x,2026-11-01T00:00:00,${n}`,
      ],
    ) as unknown as [KeyRow, KeyRow, KeyRow, KeyRow],
  },
  'names that need quotes': {
    before: 'create schema "S ""Ünï.x"""',
    table: '"S ""Ünï.x"""."Select ""all"".$1 \\"',
    columns: `"Order By" text, "q""'\\.ü$$" int4, primary key ("Order By", "q""'\\.ü$$")`,
    names: `"Order By", "q""'\\.ü$$"`,
    key: ['Order By', `q"'\\.ü$$`],
    rows: [
      [`'a', 1`, 'a,1'],
      [`'b', 2`, 'b,2'],
      [`'c', 3`, 'c,3'],
      [`'d', 4`, 'd,4'],
    ],
  },
};
