import { type JoinedPage, type JsonValue, type PageQuery, pageKeyOf } from 'rostack-core';
import type { StoredResource } from '../apply/prepare-change.ts';
import { type Database, run, type Work } from '../database/database.ts';
import type { Dialect } from '../database/dialect.ts';
import { encodeOrderKey } from '../key/encode-key.ts';
import { checkPosition, readHead } from '../log/read-head.ts';
import type { ResourceTables } from '../schema/tables.ts';
import { exactWalkOf } from './exact-walk.ts';
import { JoinedStatements } from './joined-statements.ts';
import { fieldLookup, sortFieldsOf } from './page-scope.ts';
import type { Walk, WalkPlace } from './walk.ts';

const NO_BODIES = new Uint8Array(0);
const statementsOf = new WeakMap<ResourceTables, JoinedStatements>();

/**
 * A page that one walk along an index gives as it is, joined by the database; undefined for every other page, and for one of a
 * position that the head has left. The limit alone bounds the cost.
 * @throws PositionExpiredError when the position lies below the floor or beyond the head
 * @throws SourceUnavailableError when the database cannot answer
 */
export async function readJoinedPage(
  database: Database,
  target: StoredResource,
  query: PageQuery,
): Promise<JoinedPage | undefined> {
  const { dialect } = database;
  const statements = statementsFor(dialect, target.tables);
  const walk = statements && exactWalkOf(query, sortFieldsOf(target, query), fieldLookup(target));
  if (statements === undefined || walk === undefined) return undefined;
  return database.read(() => joinCurrent(dialect, target, query, walk, statements));
}

function* joinCurrent(
  dialect: Dialect,
  target: StoredResource,
  query: PageQuery,
  walk: Walk,
  statements: JoinedStatements,
): Work<JoinedPage | undefined> {
  const head = yield* readHead(dialect, target);
  checkPosition(query.at, head);
  if (query.at < head.position) return undefined;
  const { bodies, end } = statements.queries(walk, placeOf(walk, query), query.limit);
  const [joined] = yield* run<{ readonly bodies: Uint8Array | null }>(bodies);
  const [last, beyond] = yield* run<{ readonly id: string; readonly body: string }>(end);
  return {
    bodies: joined?.bodies ?? NO_BODIES,
    next: last && beyond && pageKeyOf({ id: last.id, value: JSON.parse(last.body) as JsonValue }, query.sort),
  };
}

function placeOf({ field }: Walk, { after, sort }: PageQuery): WalkPlace | undefined {
  if (after === undefined) return undefined;
  const key = field === undefined || sort.length === 0 ? undefined : encodeOrderKey(after.values[0]);
  return { key, id: after.id };
}

function statementsFor(dialect: Dialect, tables: ResourceTables): JoinedStatements | undefined {
  if (dialect.joinTexts === undefined) return undefined;
  let statements = statementsOf.get(tables);
  if (statements === undefined) {
    statements = new JoinedStatements(dialect, tables, dialect.joinTexts);
    statementsOf.set(tables, statements);
  }
  return statements;
}
