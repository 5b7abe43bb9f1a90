import type Sqlite from 'better-sqlite3';
import type { Query, Row } from './database.ts';

/** Texts differ with the shape of filters: enough for the usual ones, bounded against the unusual. */
const MAX_CACHED_STATEMENTS = 500;
const NO_ROWS: readonly Row[] = [];

/** Prepared statements of one connection. */
export class SqliteStatements {
  readonly #handle: Sqlite.Database;
  readonly #statements = new Map<string, Sqlite.Statement<unknown[], Row>>();

  constructor(handle: Sqlite.Database) {
    this.#handle = handle;
  }

  run(query: Query): readonly Row[] {
    if (query.kind === 'once') return this.#runOnce(query.sql, query.parameters);
    const { rows, several } = query;
    const results: Row[] = [];
    let done = 0;
    if (several !== undefined) {
      for (let end = several.rowCount; end <= rows.length; end += several.rowCount) {
        results.push(...this.#runOnce(several.sql, rows.slice(done, end).flat()));
        done = end;
      }
    }
    for (; done < rows.length; done += 1) results.push(...this.#runOnce(query.sql, rows[done] ?? []));
    return results;
  }

  prepare(sql: string): Sqlite.Statement<unknown[], Row> {
    const cached = this.#statements.get(sql);
    if (cached !== undefined) return cached;
    const statement = this.#handle.prepare<unknown[], Row>(sql);
    if (this.#statements.size >= MAX_CACHED_STATEMENTS) {
      const [oldest] = this.#statements.keys();
      if (oldest !== undefined) this.#statements.delete(oldest);
    }
    this.#statements.set(sql, statement);
    return statement;
  }

  clear(): void {
    this.#statements.clear();
  }

  #runOnce(sql: string, values: readonly unknown[]): readonly Row[] {
    const statement = this.prepare(sql);
    if (statement.reader) return statement.all(...values);
    statement.run(...values);
    return NO_ROWS;
  }
}
