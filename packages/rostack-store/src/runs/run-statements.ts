import { sql } from 'kysely';
import type { Query } from '../database/database.ts';
import { type Dialect, once, type Sql } from '../database/dialect.ts';
import type { StoredField } from '../resource/field.ts';
import { indexedExpression, indexName, type ResourceTables } from '../schema/tables.ts';
import { type IndexCut, isOpen, isSameKey } from './index-cut.ts';

/** The statements that read runs of one resource's indexes, each written once. */
export class RunStatements {
  readonly #dialect: Dialect;
  readonly #record: string;
  readonly #joinTexts: (texts: Sql) => Sql;
  readonly #texts = new Map<string, string>();

  constructor(dialect: Dialect, { record }: ResourceTables, joinTexts: (texts: Sql) => Sql) {
    this.#dialect = dialect;
    this.#record = record;
    this.#joinTexts = joinTexts;
  }

  /**
   * The entries between two cuts as one row: joined `bodies`, `entries` with key and id of each, and `sizes`: for each entry those of
   * its body, key and id, each as two characters (see `DIGIT`). Everything is null when there are none.
   * @param field undefined: the index of the ids
   */
  query(field: StoredField | undefined, from: IndexCut, to: IndexCut, limit: number): Query {
    const isPoint = field !== undefined && isSameKey(from, to);
    const shape = `${field?.number} ${isPoint} ${shapeOf(from)} ${shapeOf(to)}`;
    let text = this.#texts.get(shape);
    if (text === undefined) {
      text = once(this.#dialect, this.#write(field, isPoint, from, to)).sql;
      this.#texts.set(shape, text);
    }
    const low = valuesOf(field, from);
    const high = valuesOf(field, to);
    return { kind: 'once', sql: text, parameters: [...low, ...(isPoint ? high.slice(1) : high), limit] };
  }

  /** Its parameters come in the order of `valuesOf`. */
  #write(field: StoredField | undefined, isPoint: boolean, from: IndexCut, to: IndexCut): Sql {
    const key = field && indexedExpression(this.#dialect, field);
    const conditions = isPoint
      ? [sql`${key} = ${this.#dialect.equal(from.key)}`, ...pointConditions(from, to)]
      : [...conditionsOf(key, '>', from), ...conditionsOf(key, '<', to)];
    const order = key === undefined || isPoint ? sql`id` : sql`${key}, id`;
    const index = field ? indexName(this.#record, field) : `sqlite_autoindex_${this.#record}_1`;
    const where = conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`;
    const sizes = [sql`octet_length(body)`, sql`length(key)`, sql`octet_length(id)`];
    return sql`select ${this.#joinTexts(sql`body`)} as bodies, cast(group_concat(key || id, '') as blob) as entries,
        group_concat(char(${sql.join(sizes.flatMap(digitsOf))}), '') as sizes
      from (select ${key ?? sql`x''`} as key, id, body from ${this.#dialect.tableBy(this.#record, index)} ${where}
        order by ${order} limit ${this.#dialect.count(0)}) as run`;
  }
}

/**
 * Numbers come as characters, which SQLite writes faster than decimals: two digits of this base each, plus one so that none is NUL.
 * A size would have to be above 200 MB to come upon the surrogates.
 */
export const DIGIT = 4_096;

function digitsOf(size: Sql): Sql[] {
  const base = sql.lit(DIGIT);
  return [sql`${size} / ${base} + 1`, sql`${size} % ${base} + 1`];
}

/** At one key: SQLite seeks a row value only on plain columns, hence the equality beside them. */
function pointConditions(from: IndexCut, to: IndexCut): Sql[] {
  return [...conditionsOf(undefined, '>', from), ...conditionsOf(undefined, '<', to)];
}

function conditionsOf(key: Sql | undefined, beyond: '>' | '<', cut: IndexCut): Sql[] {
  const { id, side } = cut;
  // A cut comes after its id: whatever is below it may have that id.
  const than = sql.raw(beyond === '<' && id !== undefined ? '<=' : beyond);
  if (key === undefined) return id === undefined ? [] : [sql`id ${than} ${id.toString()}`];
  if (id !== undefined) return [sql`(${key}, id) ${than} (${cut.key}, ${id.toString()})`];
  if (isOpen(cut)) return [];
  const isIncluded = (beyond === '>') === (side === 'before');
  return [sql`${key} ${sql.raw(isIncluded ? `${beyond}=` : beyond)} ${cut.key}`];
}

function valuesOf(field: StoredField | undefined, cut: IndexCut): readonly unknown[] {
  const id = cut.id === undefined ? [] : [cut.id.toString()];
  return field === undefined || isOpen(cut) ? id : [cut.key, ...id];
}

function shapeOf(cut: IndexCut): string {
  if (cut.id !== undefined) return 'id';
  return isOpen(cut) ? 'open' : cut.side;
}
