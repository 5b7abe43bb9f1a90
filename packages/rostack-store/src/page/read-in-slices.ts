import type { PageRequest } from './page-builder.ts';
import type { PagePlan } from './page-plan.ts';
import type { PageReads } from './page-reads.ts';
import type { SnapshotScope } from './page-scope.ts';
import { PageWalker } from './page-walker.ts';

/**
 * The bodies of a page that no index bounds, and of one more row where there are more: its walks are looked through slice by slice. What
 * was current at a position does not change, so slices that are read at different times fit together.
 * @throws PositionExpiredError when the position lies below the floor, or is of another history
 * @throws SourceUnavailableError when the page is not complete in time
 */
export async function readInSlices(
  reads: PageReads,
  scope: SnapshotScope,
  { walks, isOrdered, rest }: PagePlan,
  { after, limit }: PageRequest,
): Promise<readonly string[]> {
  const walker = new PageWalker(scope, reads, rest === undefined);
  const [walk] = walks;
  if (walk === undefined) return [];
  const rows = isOrdered
    ? await walker.takeMerged(walks, after, limit + 1)
    : await walker.takeGrouped(walk, after, limit + 1);
  return rows.map(({ body }) => body);
}
