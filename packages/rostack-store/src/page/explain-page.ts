import type { PageQuery } from 'rostack-core';
import type { Database } from '../drivers/database.ts';
import type { Row } from '../drivers/dialect/query.ts';
import type { StoredResource } from '../schema/stored-resource.ts';
import type { PageReading } from './plan/page-plan.ts';
import { accessPathsOf, tryPath } from './read-page.ts';

/** How a page is read, for developers. */
export interface PageExplanation {
  /** `statement`: indexes bound the page, so one statement reads it; `slices`: they do not, so a scan is read slice by slice. */
  readonly strategy: 'statement' | 'slices';
  /** The statements that were tried, in order; if one of them read the page, it is the last. */
  readonly tried: readonly TriedStatement[];
}

/** One SQL statement that was tried for a page. */
export interface TriedStatement {
  /** Names of the indexes on current records that it uses; `id` for the index of ids. */
  readonly indexes: readonly string[];
  /** Its text, with placeholders for values. */
  readonly sql: string;
  /** The database's own plan, line by line. */
  readonly plan: readonly string[];
  /** Whether it read the whole page within its bounds. */
  readonly isWhole: boolean;
}

/** Reads a page and explains how. Throws as `readPage` does, except for errors that only slices can meet. */
export async function explainPage(
  database: Database,
  target: StoredResource,
  query: PageQuery,
  reading: PageReading,
): Promise<PageExplanation> {
  const tried: TriedStatement[] = [];
  const { verb, column } = database.dialect.explain;
  for (const way of accessPathsOf(database.dialect, target, query, reading)) {
    const { statement, indexes } = way;
    const row = await tryPath(database, way, query, reading);
    const { kind, parameters } = statement;
    const lines = await database.query<Row>({ kind, sql: `${verb} ${statement.sql}`, parameters });
    const isWhole = row?.is_whole === 1;
    tried.push({
      indexes,
      sql: statement.sql,
      plan: lines.map((line) => String(line[column])),
      isWhole,
    });
    if (isWhole) return { strategy: 'statement', tried };
  }
  return { strategy: 'slices', tried };
}
