import { type Head, type JoinedPage, type JsonValue, type PageQuery, pageKeyOf } from 'rostack-core';
import type { Database, Work } from '../database/database.ts';
import type { Dialect } from '../database/dialect.ts';
import { encodeOrderKey } from '../key/encode-key.ts';
import { checkPosition, headFor, readTag } from '../log/read-head.ts';
import type { StoredField } from '../resource/field.ts';
import type { CachedIndex } from '../runs/cached-index.ts';
import { highCut, type IndexPart, lowCut } from '../runs/index-cut.ts';
import { IndexRuns, isPage, type RunPage } from '../runs/index-runs.ts';
import { loadRun } from '../runs/load-run.ts';
import type { RunCache } from '../runs/run-cache.ts';
import { RunStatements } from '../runs/run-statements.ts';
import { touchedPlaces } from '../runs/touched-places.ts';
import type { StoredResource } from '../schema/stored-resource.ts';
import type { ResourceTables } from '../schema/tables.ts';
import { exactWalkOf } from './exact-walk.ts';
import { fieldLookup, sortFieldsOf } from './page-scope.ts';
import type { Walk, WalkPlace } from './walk.ts';

/** Gaps between runs that one page fills. */
const MAX_GAPS = 3;
const statementsOf = new WeakMap<ResourceTables, RunStatements>();

/**
 * A page that one walk along an index gives as it is, as joined bytes: out of the runs in memory, or joined by the database;
 * undefined for every other page, and for one of a position that the head has left. The limit alone bounds the cost.
 * @param head as it was read for the same request, if it was
 * @throws PositionExpiredError when the position lies below the floor or beyond the head, or is of another history
 * @throws SourceUnavailableError when the database cannot answer
 */
export function readJoinedPage(
  database: Database,
  target: StoredResource,
  query: PageQuery,
  runs: RunCache,
  head?: Head,
): JoinedPage | Promise<JoinedPage | undefined> | undefined {
  const { dialect } = database;
  const statements = statementsFor(dialect, target.tables);
  const walk = statements && exactWalkOf(query, sortFieldsOf(target, query), fieldLookup(target));
  if (statements === undefined || walk === undefined) return undefined;
  const index = runs.index(target.tables, walk.field);
  const part = {
    from: lowCut(walk.range, placeOf(walk, query)),
    to: highCut(walk.range),
    limit: query.limit,
  };
  if (head !== undefined) {
    checkPosition(query.at, head);
    const tag = query.tag ?? (query.at === head.position ? head.tag : undefined);
    const found = tag === undefined ? undefined : index.find(head.epoch, { at: query.at, tag }, part);
    if (found !== undefined) return pageOf(found, query);
  }
  return database.readShort(function* () {
    const present = yield* headFor(dialect, target, { at: query.at, tag: query.tag });
    if (query.at < present.position) return undefined;
    return pageOf(
      yield* readPart({ dialect, target, statements, field: walk.field, index }, part, present),
      query,
    );
  });
}

interface IndexToRead {
  readonly dialect: Dialect;
  readonly target: StoredResource;
  readonly statements: RunStatements;
  /** Undefined: the index of the ids. */
  readonly field: StoredField | undefined;
  readonly index: CachedIndex;
}

/** A part of an index, with what is missing of it in memory read first. */
function* readPart(
  { dialect, target, statements, field, index }: IndexToRead,
  part: IndexPart,
  head: Head,
): Work<RunPage> {
  if (!index.isAt(head)) {
    const before = index.placeBefore(head);
    const leadsHere = before !== undefined && (yield* readTag(dialect, target, before.at)) === before.tag;
    const touched = leadsHere
      ? yield* touchedPlaces(dialect, target.tables, field, before.at, head.position)
      : undefined;
    index.moveTo(head, touched);
  }
  let gaps = MAX_GAPS;
  for (;;) {
    const kept = index.look(part);
    if (isPage(kept)) return kept;
    const missing = gaps > 0 ? index.extent(kept, part) : { ...part, limit: part.limit + 1 };
    const run = yield* loadRun(statements, field, missing);
    // Where runs are not kept, the part is read by itself.
    gaps = index.add(run, head) ? gaps - 1 : 0;
    const alone = new IndexRuns(run).find(part);
    if (isPage(alone)) return alone;
  }
}

function pageOf({ bodies, last }: RunPage, { sort }: PageQuery): JoinedPage {
  return {
    bodies,
    next: last && pageKeyOf({ id: last.id, value: JSON.parse(last.body) as JsonValue }, sort),
  };
}

function placeOf({ field }: Walk, { after, sort }: PageQuery): WalkPlace | undefined {
  if (after === undefined) return undefined;
  const key = field === undefined || sort.length === 0 ? undefined : encodeOrderKey(after.values[0]);
  return { key, id: after.id };
}

function statementsFor(dialect: Dialect, tables: ResourceTables): RunStatements | undefined {
  if (dialect.joinTexts === undefined) return undefined;
  let statements = statementsOf.get(tables);
  if (statements === undefined) {
    statements = new RunStatements(dialect, tables, dialect.joinTexts);
    statementsOf.set(tables, statements);
  }
  return statements;
}
