/** The API of readings as one would write it without a library: Hono, a driver, and columns that are filtered and sorted by. */
import { Hono } from 'hono';

export const COLUMNS = ['id', 'station', 'altitude', 'name', 'active', 'observed_at', 'note'];
const INDEXED = new Set(['/station', '/altitude']);
const COMPARISONS: Readonly<Record<string, string>> = { eq: '=', gt: '>', gte: '>=', lt: '<', lte: '<=' };

export type Row = Readonly<Record<string, unknown>>;

export interface HandDatabase {
  /** How the statement names its parameter of a number, from 1. */
  parameter(number: number): string;
  /** Prepares a text once. */
  rows(text: string, values: readonly unknown[]): readonly Row[] | Promise<readonly Row[]>;
  put(records: readonly object[]): void | Promise<void>;
}

/** At once where it can be: nobody who writes for SQLite waits for a promise. */
function then<Value, Result>(
  value: Value | Promise<Value>,
  answer: (value: Value) => Result,
): Result | Promise<Result> {
  return value instanceof Promise ? value.then(answer) : answer(value);
}

export function byHand(database: HandDatabase): Hono {
  const app = new Hono();
  app.get('/api/readings', (c) => {
    const limit = Math.min(Math.trunc(Number(c.req.query('limit') ?? 50)), 200);
    const sort = c.req.query('sort');
    const filter = JSON.parse(c.req.query('filter') ?? '{}') as Record<string, Record<string, unknown>>;
    const conditions: string[] = [];
    const values: unknown[] = [];
    for (const [pointer, operators] of Object.entries(filter)) {
      if (!INDEXED.has(pointer)) return c.json({ error: `${pointer} is not filterable` }, 400);
      for (const [operator, operand] of Object.entries(operators)) {
        const comparison = COMPARISONS[operator];
        if (comparison === undefined) return c.json({ error: `no operator ${operator}` }, 400);
        values.push(operand);
        conditions.push(`${pointer.slice(1)} ${comparison} ${database.parameter(values.length)}`);
      }
    }
    const key = sort?.replace(/^-/, '');
    if (key !== undefined && !INDEXED.has(key)) return c.json({ error: `${key} is not sortable` }, 400);
    const order = key === undefined ? 'id' : `${key.slice(1)} ${sort === key ? 'asc' : 'desc'}, id`;
    const where = conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`;
    const text = `select ${COLUMNS.join(', ')} from readings ${where} order by ${order} limit ${limit + 1}`;
    return then(database.rows(text, values), (rows) => {
      const items = rows.slice(0, limit);
      const hasMore = rows.length > limit;
      return c.json({ page: { has_more: hasMore, next_cursor: hasMore ? items.at(-1) : null }, items });
    });
  });
  app.get('/api/readings/:id', (c) => {
    const text = `select ${COLUMNS.join(', ')} from readings where id = ${database.parameter(1)}`;
    return then(database.rows(text, [c.req.param('id')]), ([row]) =>
      row === undefined ? c.json({ error: 'not found' }, 404) : c.json(row),
    );
  });
  app.post('/changes', async (c) => {
    const changes = (await c.req.text()).trimEnd().split('\n');
    await database.put(changes.map((change) => (JSON.parse(change) as { record: object }).record));
    return c.json({ written: changes.length });
  });
  return app;
}
