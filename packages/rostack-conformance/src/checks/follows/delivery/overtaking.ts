import { gatewayCheck } from '../trial/gateway-check.ts';
import { ANSWER_MS } from '../trial/gateway-trial.ts';
import { TrialRecords } from '../trial/trial-records.ts';
import { snapshotCursor } from './cursors.ts';

const BEFORE = 60;
const DURING = 40;

/** Subscriptions catch up while records keep changing. */
export const overtaking = gatewayCheck({
  name: 'follows.overtaking',
  requirements: ['ws.resume.no-overtake', 'ws.resume.replay', 'ws.at-least-once'],
  needs: ['driver'],
  async run(trial) {
    const { name: resource } = trial.resource;
    await using records = await TrialRecords.of(trial);
    const cursor = await snapshotCursor(trial, trial.resource);
    const live = await trial.session();
    await trial.subscribed(live, { subscription_id: 'live', resource });
    const before = await records.burst(BEFORE);
    const probe = await trial.session();
    const writing = records.burst(DURING);
    const answer = await trial.subscribed(probe, { subscription_id: 'late', resource, cursor });
    const ids = new Set([...before, ...(await writing)]);
    const own = (from: typeof probe, name: string) =>
      from.eventsOf(name).filter(({ resourceId }) => ids.has(resourceId));
    const count = 2 * (BEFORE + DURING);
    const isThere = (from: typeof probe, name: string) =>
      from.until(() => (own(from, name).length >= count ? true : undefined), ANSWER_MS);
    await Promise.all([isThere(live, 'live'), isThere(probe, 'late')]);
    await probe.next(['replay_complete'], answer.index, ANSWER_MS);

    const [order, seen] = [own(live, 'live'), own(probe, 'late')].map((events) => [
      ...new Set(events.map(({ eventId }) => eventId)),
    ]);
    const missing = order?.filter((id) => seen?.includes(id) !== true) ?? [];
    const expectedAll = `All ${count} changes come, also those during the replay.`;
    const isAll = missing.length === 0 && order?.length === count;
    const gotAll = `${missing.length} did not come to who resumes; ${order?.length ?? 0} were live.`;
    trial.judge('ws.at-least-once', isAll, expectedAll, gotAll, probe);
    const wanted = order?.filter((id) => seen?.includes(id)) ?? [];
    const isOrdered = wanted.join() === seen?.filter((id) => wanted.includes(id)).join();
    const expected = 'No live event overtakes the replay: events come in the order in which they were live.';
    trial.judge('ws.resume.no-overtake', isOrdered, expected, 'They came in another order.', probe);

    const completes = probe.messages.filter(({ type }) => type === 'replay_complete');
    const [complete] = completes;
    const early = own(probe, 'late').filter(({ message }) => message.index < (complete?.index ?? 0));
    const beforeIds = new Set(before);
    const replayed = new Set(
      early.filter(({ resourceId }) => beforeIds.has(resourceId)).map(({ eventId }) => eventId),
    );
    const isComplete = completes.length === 1 && replayed.size === 2 * BEFORE;
    const expectedEnd = 'One replay_complete comes, after all events from before the subscription.';
    const got = `${completes.length} came, after ${replayed.size} of ${2 * BEFORE} events.`;
    trial.judge('ws.resume.replay', isComplete, expectedEnd, got, probe);
  },
});
