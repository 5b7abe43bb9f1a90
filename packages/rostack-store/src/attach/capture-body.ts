import {
  CHUNK_ROWS,
  captured,
  isFirst,
  keysInChunks,
  keysOf,
  partsOf,
  rowsInChunks,
  rowsOf,
  SOME,
  settle,
} from './capture-parts.ts';
import type { Installation } from './installation.ts';

/**
 * A row that has been replaced by a nested statement by the time its trigger fires is left to that statement's own; a key is gone only
 * when no row has it any more. Also the function of the trigger for `TRUNCATE`.
 */
export function rowBody(installation: Installation): string {
  const parts = partsOf(installation);
  const { keyType, table, kept, keyOf, isSame, isFoundBy } = parts;
  return captured(
    parts,
    `if TG_OP operator(pg_catalog.=) 'TRUNCATE' then
      v_kind := 't';
    else
      if TG_OP operator(pg_catalog.=) 'DELETE' or not ${isSame('OLD', 'NEW')} then
        v_gone := array[${keyOf('OLD')}]::${keyType}[];
        if exists (select from only ${table} t where ${isFoundBy('t', 'OLD')} and ${isSame('t', 'OLD')}) then
          v_gone := null;
        end if;
      end if;
      if TG_OP operator(pg_catalog.<>) 'DELETE' then
        if NEW.xmax operator(pg_catalog.=) 0 or exists (select from only ${table} t where t.ctid operator(pg_catalog.=) NEW.ctid) then
          v_rows := array[${kept('NEW')}];
        end if;
      end if;
      if v_gone is null and v_rows is null then
        return null;
      end if;
    end if;`,
  );
}

/**
 * The bodies of the triggers of statements. What a statement's transition tables tell is older than what a nested statement (of an
 * application's trigger, of a function that the statement calls) did to the same rows. That one was captured before, within the same
 * statement of the client, and set the marker. Then, and when keys have changed, `settle` looks at what stands now under the keys. So
 * what is captured last of a key is what its last change left.
 */
export function insertBody(installation: Installation): string {
  const parts = partsOf(installation);
  return captured(
    parts,
    `v_rows := ${rowsOf(parts, SOME)};
    v_size := pg_catalog.cardinality(v_rows);
    if v_size operator(pg_catalog.=) 0 then
      return null;
    end if;
    v_is_plain := ${isFirst(parts)};
    if v_size operator(pg_catalog.>) ${CHUNK_ROWS} then
      ${rowsInChunks(parts, 'v_is_plain is null')}
      return null;
    end if;
    if v_is_plain is null then
      ${settle(parts, keysOf(parts, 'new_table'))}
    end if;`,
  );
}

/** Most statements change one row: the first query takes all that there is to know of it, and one condition tells that it was one. */
export function updateBody(installation: Installation): string {
  const parts = partsOf(installation);
  const { kept, keyOf } = parts;
  const isOne = `${keysOf(parts, 'old_table', 'limit 2')} operator(pg_catalog.=) array[${keyOf('n')}]`;
  return captured(
    parts,
    `select case when ${isFirst(parts)} then ${isOne} end, array[${kept('n')}] into v_is_plain, v_rows from new_table n;
    if v_is_plain is not true then
      if not found then
        return null;
      end if;
      select ${rowsOf(parts, SOME)}, ${keysOf(parts, 'new_table', SOME)}, ${keysOf(parts, 'old_table', SOME)}
        into v_rows, v_keys, v_old;
      v_size := pg_catalog.cardinality(v_rows);
      if v_size operator(pg_catalog.>) ${CHUNK_ROWS} then
        if ${keysOf(parts, 'old_table')} operator(pg_catalog.<>) ${keysOf(parts, 'new_table')} then
          v_is_plain := null;
        end if;
        if v_is_plain is null then
          ${keysInChunks(parts, 'true')}
          v_gone := null;
        end if;
        ${rowsInChunks(parts, 'v_is_plain is null')}
        return null;
      end if;
      if v_is_plain is null or v_old operator(pg_catalog.<>) v_keys then
        ${settle(parts, 'v_keys operator(pg_catalog.||) v_old')}
      end if;
    end if;`,
  );
}

export function deleteBody(installation: Installation): string {
  const parts = partsOf(installation);
  return captured(
    parts,
    `v_gone := ${keysOf(parts, 'old_table', SOME)};
    v_size := pg_catalog.cardinality(v_gone);
    if v_size operator(pg_catalog.=) 0 then
      return null;
    end if;
    v_is_plain := ${isFirst(parts)};
    if v_size operator(pg_catalog.>) ${CHUNK_ROWS} then
      ${keysInChunks(parts, 'v_is_plain is null')}
      return null;
    end if;
    if v_is_plain is null then
      ${settle(parts, 'v_gone')}
    end if;`,
  );
}

/** Says of keys what stands under them now: the rows, and the keys that no row has. */
export function settleBody(installation: Installation): string {
  const { table, kept, unnested } = partsOf(installation);
  return `
begin
  select pg_catalog.array_agg(${unnested.keyOf('k')}) filter (where c.is_same is not true),
      pg_catalog.array_agg(c.kept) filter (where c.is_same is not null)
    into gone, rows
    from pg_catalog.unnest(keys) ${unnested.alias('k')} left join lateral (
      select ${unnested.isSame('t', 'k')} as is_same, ${kept('t')} as kept
      from only ${table} t where ${unnested.isFoundBy('t', 'k')} offset 0) c on true;
end
`;
}
