import type { PageQuery } from 'rostack-core';
import type { Database } from '../drivers/database.ts';
import type { Row } from '../drivers/dialect/query.ts';
import type { StoredResource } from '../schema/stored-resource.ts';
import type { PageReading } from './plan/page-plan.ts';
import { accessPathsOf, tryPath } from './read-page.ts';

/** How a page is found, for developers. */
export interface PageExplanation {
  /** `statement`: indexes bound the page, one statement reads it; `slices`: they do not, a scan is read slice by slice. */
  readonly strategy: 'statement' | 'slices';
  /** The statements that were tried, in order; where one of them read the page, it is the last. */
  readonly tried: readonly TriedStatement[];
}

/** One SQL statement that was tried for a page. */
export interface TriedStatement {
  /** Names of the indexes of current records that it goes by; `id` where that is the order of the ids. */
  readonly indexes: readonly string[];
  /** Its text, with parameters in the place of values. */
  readonly sql: string;
  /** The database's own plan, a line each. */
  readonly plan: readonly string[];
  /** Whether it read the whole page within its bounds. */
  readonly isWhole: boolean;
}

/** Reads a page and says how. Throws as `readPage` does, save for what only slices can meet. */
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
