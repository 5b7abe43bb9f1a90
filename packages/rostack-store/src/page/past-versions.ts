import { type Sql, sql } from '../database/sql.ts';
import { headTable } from '../log/read-head.ts';
import { ERA, eraOf, eraSql, indexedExpression } from '../schema/tables.ts';
import { type Access, rangesByField } from './access.ts';
import { inRanges } from './filter-to-sql.ts';
import { isBounded } from './key-range.ts';
import { type PageBuilder, whereAll } from './page-builder.ts';
import { tableOf, type Walk } from './walk.ts';

/** No id is as long: an upper bound of them all. */
const ABOVE_ALL_IDS = '\u{10ffff}'.repeat(129);

/** Past versions on the walks, up to the last row of the page as far as that is known. */
export function pastOfWalks(builder: PageBuilder, walks: readonly Walk[], current: Sql): Sql {
  const [walk] = walks;
  const { field, range = {}, descending = false } = walk ?? {};
  const want = sql.lit(builder.want);
  const isFull = sql`when count(*) >= ${want} then`;
  const lastId = sql`id <= (select case ${isFull} max(id) else ${ABOVE_ALL_IDS} end from ${current})`;
  // Bounds on both sides, even where one holds for all: PostgreSQL expects few rows between two, and a third of all below one.
  const firstId = sql`id > ${builder.after?.id ?? ''}`;
  if (field === undefined) {
    const past = tableOf(builder.scope, undefined, 'past');
    const conditions = [firstId, lastId, ...pastTests(builder)];
    const rows = sql`select ${pastColumns(builder)} from ${past} ${whereAll(conditions)} order by id, to_position limit ${sql.lit(builder.scope.limits.past)}`;
    return builder.define('p', rows);
  }
  if (walks.length > 1 || builder.scope.sort.length === 0) {
    const access = walks.map(({ field: each = field, range: point }) => ({ field: each, range: point }));
    return past(builder, access, [firstId, lastId]);
  }
  const key = indexedExpression(builder.scope.dialect, field);
  const edge = sql`select ${key} from ${current} order by ${key} ${descending ? sql`` : sql`desc`} limit 1`;
  const [lowest, highest] = [bytes(builder, ''), bytes(builder, 'ff')];
  const first =
    builder.after === undefined ? (descending ? highest : lowest) : sql`${builder.after.sortKeys[0]}`;
  const last = sql`(select case ${isFull} (${edge}) else ${descending ? lowest : highest} end from ${current})`;
  const [low, high] = descending ? [last, first] : [first, last];
  return past(builder, [{ field, range }], [sql`${key} >= ${low}`, sql`${key} <= ${high}`]);
}

/** Past versions in ranges of indexes that were current at the position and match. */
export function past(builder: PageBuilder, access: Access, conditions: readonly Sql[]): Sql {
  const { dialect, limits } = builder.scope;
  const eras = erasSince(builder);
  const most = sql.lit(limits.past);
  const selects = [...rangesByField(access)].map(([field, ranges]) => {
    const key = indexedExpression(dialect, field);
    const within = whereAll([
      sql`${ERA} = eras.era`,
      ...(ranges.some(isBounded) ? [inRanges(key, ranges)] : []),
      ...conditions,
      ...pastTests(builder),
    ]);
    const table = tableOf(builder.scope, field, 'past');
    return dialect.name === 'sqlite'
      ? sql`select ${pastColumns(builder)} from ${eras} cross join ${table} ${within}`
      : sql`select in_era.* from ${eras} cross join lateral
          (select ${pastColumns(builder)} from ${table} ${within} order by ${key}, id limit ${most}) as in_era`;
  });
  return builder.define(
    'p',
    sql`select * from (${sql.join(selects, ' union ')}) as every_version limit ${most}`,
  );
}

function pastColumns(builder: PageBuilder): Sql {
  const keys = builder.testedKeys(builder.scope.filter);
  return sql.join([sql`id`, sql`body`, sql`from_position`, sql`to_position`, ...keys]);
}

function pastTests(builder: PageBuilder): Sql[] {
  const { condition } = builder.scope;
  const visible = sql`from_position <= ${builder.at} and to_position > ${builder.at}`;
  return [visible, ...(condition === undefined ? [] : [condition]), ...builder.isBeyondPlace()];
}

/** The eras in which versions ended since the position. */
function erasSince(builder: PageBuilder): Sql {
  const at = builder.at ?? 0;
  const { dialect, target } = builder.scope;
  const { from, where } = headTable(dialect, target.tables);
  const { bigint } = dialect.columnTypes;
  const position = sql`(select h.position from ${from} where ${where})`;
  const eras = sql`select cast(${eraOf(at + 1)} as ${bigint}) where ${position} > ${at}
    union all select era + 1 from eras where era < ${eraSql(position)}`;
  return builder.define('eras', eras, sql`(era)`);
}

function bytes(builder: PageBuilder, hex: string): Sql {
  return builder.scope.dialect.name === 'sqlite' ? sql`x'${sql.raw(hex)}'` : sql`'\\x${sql.raw(hex)}'::bytea`;
}
