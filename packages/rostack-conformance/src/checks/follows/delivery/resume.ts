import type { SeenEvent } from '../../../probe/ws/seen-message.ts';
import type { WsProbe } from '../../../probe/ws/ws-probe.ts';
import { gatewayCheck } from '../trial/gateway-check.ts';
import { ANSWER_MS, type GatewayTrial } from '../trial/gateway-trial.ts';
import { TrialRecords } from '../trial/trial-records.ts';
import { eventsOf, withoutPlace } from './changes.ts';
import { snapshotCursor } from './cursors.ts';

/** How many records are written. */
const RECORDS = 4;

/** Subscriptions resume from every kind of cursor. */
export const resume = gatewayCheck({
  name: 'follows.resume',
  requirements: [
    'ws.resume.replay',
    'ws.resume.same',
    'ws.cursor.exclusive',
    'ws.cursor.resource-wide',
    'ws.subscribe.idempotent',
  ],
  needs: ['driver'],
  async run(trial) {
    const { name: resource } = trial.resource;
    await using records = await TrialRecords.of(trial);
    const atStart = await snapshotCursor(trial, trial.resource);
    const live = await trial.session();
    await trial.subscribed(live, { subscription_id: 'live', resource });
    const filter =
      trial.resource.event_filtering === true && records.sorts
        ? { [records.sorts.pointer]: { eq: records.sorts.values[0] } }
        : undefined;
    if (filter !== undefined) await trial.subscribed(live, { subscription_id: 'filtered', resource, filter });
    const ids = Array.from({ length: RECORDS }, () => records.id());
    for (const id of ids) {
      await records.put(id, 0);
      await records.put(id, 1);
    }
    await eventsOf(live, 'live', ids.at(-1) ?? '', 2);
    const all = live.eventsOf('live');
    await judgeFrom(trial, 'the cursor of a list', atStart, all);
    for (const [index, event] of all.entries()) {
      await judgeFrom(trial, `the cursor of event ${index + 1}`, event.cursor, all.slice(index + 1), event);
    }
    if (filter !== undefined) await judgeWide(trial, live, filter);
    else trial.context.findings.skip('ws.cursor.resource-wide', 'not claimed: no filtered events');
  },
});

async function judgeFrom(
  trial: GatewayTrial,
  what: string,
  cursor: string,
  following: readonly SeenEvent[],
  own?: SeenEvent,
): Promise<void> {
  const probe = await trial.session();
  const members = { subscription_id: 'again', resource: trial.resource.name, cursor };
  const answer = await trial.subscribed(probe, members);
  const expected = `From ${what}: replaying true, the following events in their order, then replay_complete.`;
  const isReplaying = answer.members.replaying === true;
  trial.judge('ws.resume.replay', isReplaying, expected, 'replaying is not true.', probe);
  const complete = await probe.next(['replay_complete'], answer.index, ANSWER_MS);
  if (complete === undefined) {
    trial.fail('ws.resume.replay', expected, 'No replay_complete came.', probe);
    return;
  }
  const replayed = probe.eventsOf('again').filter(({ message }) => message.index < complete.index);
  judgeReplay(trial, probe, { what, replayed, following, own });
  const again = await trial.subscribe(probe, members);
  await trial.ping(probe);
  const isOnce = probe.messages.filter(({ type }) => type === 'replay_complete').length === 1;
  const expectedAgain =
    'The same definition again, cursor and all, is answered with subscribed, and replays nothing.';
  const isSame = again?.type === 'subscribed' && isOnce;
  trial.judge('ws.subscribe.idempotent', isSame, expectedAgain, 'It was not.', probe);
  await probe.close();
}

function judgeReplay(
  trial: GatewayTrial,
  probe: WsProbe,
  {
    what,
    replayed,
    following,
    own,
  }: {
    readonly what: string;
    readonly replayed: readonly SeenEvent[];
    readonly following: readonly SeenEvent[];
    readonly own: SeenEvent | undefined;
  },
): void {
  const isOwnAmong = own !== undefined && replayed.some(({ eventId }) => eventId === own.eventId);
  const expectedOwn = 'A cursor is exclusive: the event that it came with is not sent again.';
  trial.judge('ws.cursor.exclusive', !isOwnAmong, expectedOwn, `From ${what} it was.`, probe);
  const rest = replayed.filter(({ eventId }) => eventId !== own?.eventId);
  const wanted = following.map(identityOf);
  const seen = [...new Set(rest.map(identityOf))];
  const isInOrder = wanted.every((identity, index) => seen[index] === identity);
  const isComplete = wanted.every((identity) => seen.includes(identity));
  const expected = `From ${what} come the ${wanted.length} events that were live, in their order.`;
  const got = isComplete ? 'They came in another order, or others among them.' : `There came ${seen.length}.`;
  trial.judge('ws.resume.replay', isInOrder || !isComplete, expected, got, probe);
  const isSame = following.every((event) => {
    const twin = rest.find(({ eventId }) => eventId === event.eventId);
    return twin !== undefined && sayingOf(twin) === sayingOf(event);
  });
  const gotSame = isComplete
    ? 'One says something else than when it was live.'
    : `There came ${seen.length}.`;
  trial.judge('ws.resume.same', isSame, expected, gotSame, probe);
}

const identityOf = ({ eventId }: SeenEvent): string => eventId;

const sayingOf = (event: SeenEvent): string => JSON.stringify(withoutPlace(event));

/** A cursor of a filtered subscription is valid for the whole resource, and the other way round. */
async function judgeWide(trial: GatewayTrial, live: WsProbe, filter: object): Promise<void> {
  const { name: resource } = trial.resource;
  const [all, some] = [live.eventsOf('live'), live.eventsOf('filtered')];
  const cases = [
    { from: some[0], following: all, members: {}, what: 'a filtered subscription' },
    { from: all[0], following: some, members: { filter }, what: 'one without a filter' },
  ];
  for (const { from, following, members, what } of cases) {
    if (from === undefined) continue;
    const place = all.findIndex(({ eventId }) => eventId === from.eventId);
    const wanted = following.filter(
      ({ eventId }) => all.findIndex((each) => each.eventId === eventId) > place,
    );
    const probe = await trial.session();
    const subscription = { subscription_id: 'wide', resource, cursor: from.cursor, ...members };
    const answer = await trial.subscribed(probe, subscription);
    await probe.next(['replay_complete'], answer.index, ANSWER_MS);
    const seen = new Set(probe.eventsOf('wide').map(identityOf));
    const missing = wanted.filter(({ eventId }) => !seen.has(eventId));
    const expected = `A cursor of ${what} counts for a subscription with another filter.`;
    const got = `${missing.length} of ${wanted.length} events did not come.`;
    trial.judge('ws.cursor.resource-wide', missing.length === 0, expected, got, probe);
  }
}
