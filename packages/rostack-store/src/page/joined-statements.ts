import { Buffer } from 'node:buffer';
import { sql } from 'kysely';
import type { Query } from '../database/database.ts';
import type { Dialect, Sql } from '../database/dialect.ts';
import { indexName, type ResourceTables } from '../schema/tables.ts';
import type { Bound, KeyRange } from './key-range.ts';
import { pointOf } from './key-range.ts';
import { type Walk, type WalkPlace, walkSql } from './walk.ts';

/** The statements of a joined page of current rows. */
export interface JoinedQueries {
  /** One row: `bodies`, the joined records, or null when there are none. */
  readonly bodies: Query;
  /** `id` and `body` of the page's last row when it is full, then of the row after it when there is one. */
  readonly end: Query;
}

/** A value to bind, by its part in the page. */
type Slot = 'lowKey' | 'highKey' | 'afterKey' | 'afterId' | 'limit' | 'offset';

type SlotValues = Readonly<Record<Slot, unknown>>;

interface Template {
  readonly sql: string;
  readonly slots: readonly Slot[];
}

/** Values that stand for the slots while a statement is written: the order in which they come out is that of the parameters. */
const MARKS = {
  lowKey: Buffer.from('low'),
  highKey: Buffer.from('high'),
  afterKey: Buffer.from('after'),
  afterId: 'after id',
  limit: -1,
  offset: -2,
} as const;

const SLOT_OF = new Map<unknown, Slot>(Object.entries(MARKS).map(([slot, mark]) => [mark, slot as Slot]));

/** The statements of one resource, written once for each shape of a walk. */
export class JoinedStatements {
  readonly #dialect: Dialect;
  readonly #tables: ResourceTables;
  readonly #joinTexts: (texts: Sql) => Sql;
  readonly #templates = new Map<string, { readonly bodies: Template; readonly end: Template }>();

  constructor(dialect: Dialect, tables: ResourceTables, joinTexts: (texts: Sql) => Sql) {
    this.#dialect = dialect;
    this.#tables = tables;
    this.#joinTexts = joinTexts;
  }

  /** @param limit at least 1 */
  queries(walk: Walk, after: WalkPlace | undefined, limit: number): JoinedQueries {
    const { low, high } = walk.range;
    const shape = `${walk.field?.number} ${shapeOf(walk.range)} ${after !== undefined}`;
    let template = this.#templates.get(shape);
    if (template === undefined) {
      template = this.#write(walk, after !== undefined);
      this.#templates.set(shape, template);
    }
    const values: SlotValues = {
      lowKey: low?.key,
      highKey: high?.key,
      afterKey: after?.key,
      afterId: after?.id,
      limit,
      offset: limit - 1,
    };
    return { bodies: bind(template.bodies, values), end: bind(template.end, values) };
  }

  #write(walk: Walk, hasAfter: boolean): { readonly bodies: Template; readonly end: Template } {
    const place = hasAfter ? { key: walk.field && MARKS.afterKey, id: MARKS.afterId } : undefined;
    const marked = { ...walk, range: markedRange(walk.range) };
    const { conditions, order } = walkSql(this.#dialect, marked, place, undefined);
    const { record } = this.#tables;
    const index = walk.field ? indexName(record, walk.field) : `sqlite_autoindex_${record}_1`;
    const where = conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`;
    const rows = sql`from ${this.#dialect.tableBy(record, index)} ${where} order by ${order}`;
    return {
      bodies: this.#template(
        sql`select ${this.#joinTexts(sql`body`)} as bodies from (select body ${rows} limit ${this.#dialect.count(MARKS.limit)}) as page`,
      ),
      end: this.#template(sql`select id, body ${rows} limit 2 offset ${this.#dialect.count(MARKS.offset)}`),
    };
  }

  #template(statement: Sql): Template {
    const { sql, parameters } = statement.compile(this.#dialect.builder);
    return {
      sql,
      slots: parameters.map((mark) => {
        const slot = SLOT_OF.get(mark);
        if (slot === undefined) throw new Error('a statement of a joined page binds a value of no slot');
        return slot;
      }),
    };
  }
}

function bind({ sql, slots }: Template, values: SlotValues): Query {
  return { kind: 'once', sql, parameters: slots.map((slot) => values[slot]) };
}

function shapeOf(range: KeyRange): string {
  return pointOf(range) === undefined ? `${range.low?.inclusive} ${range.high?.inclusive}` : 'point';
}

function markedRange(range: KeyRange): KeyRange {
  const low = marked(range.low, MARKS.lowKey);
  return pointOf(range) === undefined ? { low, high: marked(range.high, MARKS.highKey) } : { low, high: low };
}

function marked(bound: Bound | undefined, mark: Buffer): Bound | undefined {
  return bound && { key: mark, inclusive: bound.inclusive };
}
