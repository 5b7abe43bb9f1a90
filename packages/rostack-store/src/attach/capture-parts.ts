import { escapeLiteral } from 'pg';
import { type Installation, qualified } from './installation.ts';
import { rowExpression } from './row-type.ts';
import {
  findsKey,
  isSameKey,
  isTextKey,
  keptKeyFields,
  keyAlias,
  keyExpression,
  keyFields,
  keyTypeOf,
} from './table-key.ts';

/** Rows of the table in one row of the inbox, at most. */
export const CHUNK_ROWS = 200;

/** What the statements of a body have in common. */
export interface Parts {
  readonly keyType: string;
  readonly table: string;
  /** Whether that is a type with a collation. */
  readonly isText: boolean;
  readonly rowType: string;
  readonly inbox: string;
  readonly settle: string;
  readonly marker: string;
  /** False where rows alone have triggers, which do not look at the marker. */
  readonly isMarked: boolean;
  /** SQL: a row as the inbox keeps it. */
  readonly kept: (row: string) => string;
  /** SQL: its key. */
  readonly keyOf: (row: string) => string;
  /** SQL: whether a row's key is that of another one, byte by byte. */
  readonly isSame: (row: string, other: string) => string;
  /** SQL: whether the index finds a row by the key of another one, which its collation may take for the same. */
  readonly isFoundBy: (row: string, other: string) => string;
  /** What keys that are taken out of an array take. */
  readonly unnested: UnnestedKeys;
}

/** SQL about keys that an alias stands for, and rows of the table. */
interface UnnestedKeys {
  readonly alias: (name: string) => string;
  readonly keyOf: (name: string) => string;
  readonly isSame: (row: string, name: string) => string;
  readonly isFoundBy: (row: string, name: string) => string;
}

export function partsOf(installation: Installation): Parts {
  const { schema, names, source, columns, isChild } = installation;
  const rowType = qualified(schema, names.rowType);
  const composite = qualified(schema, names.keyType);
  const fields = (row: string) => keyFields(installation, row);
  const unnested = (name: string) => keptKeyFields(installation, name);
  return {
    keyType: keyTypeOf(installation, composite),
    table: qualified(source.schema, source.table),
    isText: isTextKey(installation),
    rowType,
    inbox: qualified(schema, names.inbox),
    settle: qualified(schema, names.settle),
    marker: escapeLiteral(names.marker),
    isMarked: !isChild,
    kept: (row) => rowExpression(rowType, columns, row),
    keyOf: (row) => keyExpression(installation, fields(row), composite),
    isSame: (row, other) => isSameKey(installation, fields(row), fields(other)),
    isFoundBy: (row, other) => findsKey(fields(row), fields(other)),
    unnested: {
      alias: (name) => keyAlias(installation, name),
      keyOf: (name) => keyExpression(installation, unnested(name), composite),
      isSame: (row, name) => isSameKey(installation, fields(row), unnested(name)),
      isFoundBy: (row, name) => findsKey(fields(row), unnested(name)),
    },
  };
}

/** What a function of a trigger begins and ends with. Whatever goes wrong in between does not hinder the writer: the table is read again. */
export function captured(parts: Parts, statements: string): string {
  const { keyType, rowType } = parts;
  return `
declare
  v_kind "char";
  v_keys ${keyType}[];
  v_old ${keyType}[];
  v_gone ${keyType}[];
  v_rows ${rowType}[];
  v_size pg_catalog.int4;
  v_is_plain pg_catalog.bool;
begin
  begin
    ${statements}
  exception when others then
    v_kind := 'e';
    v_gone := null;
    v_rows := null;
  end;
  ${keep(parts)}
  return null;
end
`;
}

/**
 * What is in the variables goes into the inbox: most statements set no kind and no size. Whoever comes later in the same statement of
 * the client finds the marker, which goes with the transaction, or the savepoint, that captured.
 */
export function keep({ inbox, marker, isMarked }: Parts): string {
  const kind = `coalesce(v_kind, 'w')`;
  const marked = `case when pg_catalog.set_config(${marker}, ${MOMENT}, true) is not null then ${kind} end`;
  return `insert into ${inbox} (kind, size, gone, rows) values (${isMarked ? marked : kind}, coalesce(v_size, 1), v_gone, v_rows);`;
}

/** SQL: the keys of a transition table, or its first so many. */
export function keysOf({ keyOf }: Parts, table: 'old_table' | 'new_table', limit = ''): string {
  return `array(select ${keyOf('k')} from ${table} k ${limit})`;
}

/** SQL: rows of the new table as the inbox keeps them. */
export function rowsOf({ kept }: Parts, limit = ''): string {
  return `array(select ${kept('k')} from new_table k ${limit})`;
}

/** As many as tell whether they are too many for one row of the inbox. */
export const SOME = `limit ${CHUNK_ROWS + 1}`;

/** The function's parameter takes the collation of what it is given: any but the default one would not go with the column's own. */
export function settle(parts: Parts, keys: string): string {
  const collated = parts.isText ? `(${keys}) collate pg_catalog."default"` : keys;
  return `select s.gone, s.rows into v_gone, v_rows from ${parts.settle}(${collated}) s;
          ${count()}`;
}

function count(): string {
  return `v_size := coalesce(pg_catalog.cardinality(v_gone), 0) operator(pg_catalog.+) coalesce(pg_catalog.cardinality(v_rows), 0);`;
}

/** SQL: the time of the client's statement, which nested ones share, whatever the session's settings are. */
const MOMENT = "pg_catalog.encode(pg_catalog.timestamptz_send(pg_catalog.statement_timestamp()), 'hex')";

/** SQL: null when changes of the table were captured before within the same statement of the client, else true. */
export function isFirst({ marker }: Parts): string {
  return `nullif(coalesce(pg_catalog.current_setting(${marker}, true), '') operator(pg_catalog.<>) ${MOMENT}, false)`;
}

/** A large statement's rows are read once more, so that no more than a chunk is in memory. */
export function rowsInChunks(parts: Parts, isDoubtful: string): string {
  const aggregates =
    'pg_catalog.array_agg(p.key order by p.place), pg_catalog.array_agg(p.kept order by p.place)';
  const row = `${parts.keyOf('r')} as key, ${parts.kept('r')} as kept from new_table r`;
  return `for v_keys, v_rows in ${chunks(aggregates, row)} loop
          ${count()}
          if ${isDoubtful} then
            ${settle(parts, 'v_keys')}
          end if;
          ${keep(parts)}
        end loop;`;
}

export function keysInChunks(parts: Parts, isDoubtful: string): string {
  const row = `${parts.keyOf('r')} as key from old_table r`;
  return `v_rows := null;
        for v_gone in ${chunks('pg_catalog.array_agg(p.key order by p.place)', row)} loop
          ${count()}
          if ${isDoubtful} then
            ${settle(parts, 'v_gone')}
          end if;
          ${keep(parts)}
        end loop;`;
}

/** Whole rows of a transition table would not do: their fields are found amiss where a column was dropped. */
function chunks(aggregates: string, row: string): string {
  const chunk = `(p.place operator(pg_catalog.-) 1) operator(pg_catalog./) ${CHUNK_ROWS}`;
  return `select ${aggregates} from (select pg_catalog.row_number() over () as place, ${row}) p
          group by ${chunk} order by ${chunk}`;
}
