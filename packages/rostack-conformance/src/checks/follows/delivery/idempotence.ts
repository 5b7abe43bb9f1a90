import type { Resource } from 'rostack-core';
import type { WsProbe } from '../../../probe/ws/ws-probe.ts';
import { gatewayCheck } from '../trial/gateway-check.ts';
import { type GatewayTrial, type Subscribing, saidInstead } from '../trial/gateway-trial.ts';
import { snapshotCursor } from './cursors.ts';

const SAME = 'ws.subscribe.idempotent';
const CONFLICT = 'ws.subscribe.conflict';

/** The same definition again, written in different ways, and a different one under the same id. */
export const idempotence = gatewayCheck({
  name: 'follows.idempotence',
  requirements: [
    SAME,
    CONFLICT,
    'ws.subscribe.normalised.encoding',
    'ws.subscribe.normalised.event-types',
    'ws.subscribe.normalised.filter',
    'err.ws.code.subscription_id_conflict',
  ],
  async run(trial) {
    const resource = trial.resource;
    const probe = await trial.session();
    const plain = { subscription_id: 'plain', resource: resource.name };
    await trial.subscribed(probe, plain);
    await judgeSame(trial, probe, SAME, plain);
    const encoded = { ...plain, event_encoding: 'json' };
    await judgeSame(trial, probe, 'ws.subscribe.normalised.encoding', encoded);
    const types = resource.events.map(({ name }) => name);
    const typed = { ...plain, event_types: types.toReversed() };
    await judgeSame(trial, probe, 'ws.subscribe.normalised.event-types', typed);
    await judgeFilter(trial, probe, resource);
    await judgeConflicts(trial, probe, plain, types);
  },
});

async function judgeSame(
  trial: GatewayTrial,
  probe: WsProbe,
  id: string,
  members: Subscribing,
): Promise<void> {
  const answer = await trial.subscribe(probe, members);
  const isSame = answer?.type === 'subscribed' && answer.members.replaying === false;
  const expected = 'The same definition again is answered with subscribed and the present state.';
  trial.judge(id, isSame, expected, saidInstead(answer, probe), probe);
}

/** The same filter with its members in another order. */
async function judgeFilter(trial: GatewayTrial, probe: WsProbe, resource: Resource): Promise<void> {
  const id = 'ws.subscribe.normalised.filter';
  const parts = filterParts(resource);
  const [first, second] = parts;
  if (first === undefined || second === undefined || resource.event_filtering !== true) {
    trial.context.findings.skip(id, 'not claimed: no filter of two members');
    return;
  }
  const subscription = { subscription_id: 'filtered', resource: resource.name };
  await trial.subscribed(probe, { ...subscription, filter: { ...first, ...second } });
  await judgeSame(trial, probe, id, { ...subscription, filter: { ...second, ...first } });
}

/** Two members of filters; if there is only one field, the second is a negation of the first one. */
function filterParts({ filtering }: Resource): readonly object[] {
  const parts = Object.entries(filtering.filterable_fields)
    .filter(([, operators]) => operators.includes('eq'))
    .map(([pointer]) => ({ [pointer]: { eq: null } }));
  const [first] = parts;
  return first === undefined ? [] : [first, parts[1] ?? { $not: first }];
}

/** Any other difference is a conflict, and leaves the first subscription alone. */
async function judgeConflicts(
  trial: GatewayTrial,
  probe: WsProbe,
  plain: Subscribing,
  types: readonly string[],
): Promise<void> {
  const { event_encodings: encodings } = trial.context.discovery.capabilities.websocket;
  const [firstType] = types;
  const others: Readonly<Record<string, unknown>>[] = [
    { cursor: await snapshotCursor(trial, trial.resource) },
    ...(types.length > 1 ? [{ event_types: [firstType] }] : []),
    ...(encodings.some((encoding) => encoding === 'compact-json')
      ? [{ event_encoding: 'compact-json' }]
      : []),
    ...trial.followed
      .filter(({ name }) => name !== plain.resource)
      .slice(0, 1)
      .map(({ name }) => ({ resource: name })),
  ];
  for (const other of others) {
    const answer = await trial.subscribe(probe, { ...plain, ...other });
    const [difference] = Object.keys(other);
    const expected = `Another ${difference} under the same id is refused with subscription_id_conflict.`;
    const isConflict = answer?.members.code === 'subscription_id_conflict';
    for (const id of [CONFLICT, 'err.ws.code.subscription_id_conflict']) {
      trial.judge(id, isConflict, expected, saidInstead(answer, probe), probe);
    }
  }
  const still = await trial.subscribe(probe, plain);
  const isThere = still?.type === 'subscribed';
  trial.judge(
    CONFLICT,
    isThere,
    'The first subscription goes on after a conflict.',
    saidInstead(still, probe),
    probe,
  );
}
