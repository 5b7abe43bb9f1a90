/** The API of readings as one would write it without a library: Hono, better-sqlite3, and columns that are filtered and sorted by. */
import Database, { type Statement } from 'better-sqlite3';
import { Hono } from 'hono';
import { reading } from './readings.ts';

const COLUMNS = ['id', 'station', 'altitude', 'name', 'active', 'observed_at', 'note'];
const INDEXED = new Set(['/station', '/altitude']);
const COMPARISONS: Readonly<Record<string, string>> = { eq: '=', gt: '>', gte: '>=', lt: '<', lte: '<=' };
const MAX_STATEMENTS = 1_000;

type Row = Readonly<Record<string, string | number>>;

const recordOf = (row: Row) => ({ ...row, active: row['active'] === 1 });

const rowOf = (record: object): unknown[] =>
  Object.values(record).map((value: unknown) => (typeof value === 'boolean' ? Number(value) : value));

/** @param file of SQLite, which is filled first */
export function byHand(file: string, records: number): Hono {
  const database = new Database(file);
  database.pragma('journal_mode = wal');
  database.pragma('synchronous = normal');
  database.exec(`create table readings (id text primary key, station text not null, altitude real not null, name text not null,
    active integer not null, observed_at text not null, note text not null) without rowid`);
  const put = database.prepare(
    `insert or replace into readings values (${COLUMNS.map(() => '?').join(', ')})`,
  );
  database.transaction(() => {
    for (let number = 0; number < records; number += 1) put.run(rowOf(reading(number, records)));
  })();
  database.exec(`create index by_altitude on readings (altitude, id);
    create index by_station on readings (station, altitude, id); analyze`);

  const statements = new Map<string, Statement<unknown[], Row>>();
  const prepare = (text: string): Statement<unknown[], Row> => {
    let statement = statements.get(text);
    if (statement === undefined) {
      if (statements.size >= MAX_STATEMENTS) statements.clear();
      statement = database.prepare<unknown[], Row>(text);
      statements.set(text, statement);
    }
    return statement;
  };

  const app = new Hono();
  app.get('/api/readings', (c) => {
    const limit = Math.min(Number(c.req.query('limit') ?? 50), 200);
    const sort = c.req.query('sort');
    const filter = JSON.parse(c.req.query('filter') ?? '{}') as Record<string, Record<string, unknown>>;
    const conditions: string[] = [];
    const values: unknown[] = [];
    for (const [pointer, operators] of Object.entries(filter)) {
      if (!INDEXED.has(pointer)) return c.json({ error: `${pointer} is not filterable` }, 400);
      for (const [operator, operand] of Object.entries(operators)) {
        const comparison = COMPARISONS[operator];
        if (comparison === undefined) return c.json({ error: `no operator ${operator}` }, 400);
        conditions.push(`${pointer.slice(1)} ${comparison} ?`);
        values.push(operand);
      }
    }
    const key = sort?.replace(/^-/, '');
    if (key !== undefined && !INDEXED.has(key)) return c.json({ error: `${key} is not sortable` }, 400);
    const order = key === undefined ? 'id' : `${key.slice(1)} ${sort === key ? 'asc' : 'desc'}, id`;
    const where = conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`;
    const rows = prepare(`select ${COLUMNS.join(', ')} from readings ${where} order by ${order} limit ?`).all(
      ...values,
      limit + 1,
    );
    const items = rows.slice(0, limit).map(recordOf);
    const hasMore = rows.length > limit;
    return c.json({ page: { has_more: hasMore, next_cursor: hasMore ? items.at(-1) : null }, items });
  });
  app.get('/api/readings/:id', (c) => {
    const row = prepare(`select ${COLUMNS.join(', ')} from readings where id = ?`).get(c.req.param('id'));
    return row === undefined ? c.json({ error: 'not found' }, 404) : c.json(recordOf(row));
  });
  app.post('/changes', async (c) => {
    const changes = (await c.req.text()).trimEnd().split('\n');
    database.transaction(() => {
      for (const change of changes) put.run(rowOf((JSON.parse(change) as { record: object }).record));
    })();
    return c.json({ written: changes.length });
  });
  return app;
}
