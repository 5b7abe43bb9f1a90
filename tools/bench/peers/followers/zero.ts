/** Followers with Zero's client, each with a state of its own, and with the leanest view that it allows: one that is told each change and keeps nothing. */
import { peerModule } from '../published/install-peers.ts';
import { type Change, pointsOf, type ZeroModule } from '../published/zero-points.ts';
import { followForParent } from './follow-for-parent.ts';

export interface ZeroPlan {
  readonly url: string;
}

const EDITED = 2;
/** A busy machine is slow; nobody has to be warned of it. */
const QUIET_MS = 600_000;
const zero = await peerModule<ZeroModule>('@rocicorp/zero');
const { schema, queries } = pointsOf(zero);

await followForParent<ZeroPlan>(async ({ url }, number, onValue) => {
  const client = new zero.Zero({
    cacheURL: url,
    schema,
    storageKey: `follower-${number}`,
    kvStore: 'mem',
    slowMaterializeThreshold: QUIET_MS,
  });
  const push = ([type, node]: Change): readonly never[] => {
    if (type === EDITED) onValue(node.row.value);
    return [];
  };
  await client.materialize(queries.points(), (_query, input, _format, _onDestroy, _onCommit, complete) => {
    input.setOutput({ push });
    // A view begins with what the client has; without it the input tells nothing.
    for (const _ of input.fetch({}));
    return complete;
  });
});
