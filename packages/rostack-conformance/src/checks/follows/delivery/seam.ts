import type { WsProbe } from '../../../probe/ws/ws-probe.ts';
import { largestLimit } from '../../reads/sample/chain.ts';
import { eventDataOf } from '../trial/event-data.ts';
import { differenceAfter, readSnapshot, type Snapshot } from '../trial/folding.ts';
import { gatewayCheck } from '../trial/gateway-check.ts';
import { ANSWER_MS, type GatewayTrial } from '../trial/gateway-trial.ts';
import { TrialRecords } from '../trial/trial-records.ts';

const SEAM = 'json.page.no-gap';
/** Smaller pages than allowed, so that changes happen between them. */
const PAGE = 50;
const CHANGES = 30;

/** A snapshot plus the events from its cursor on equals a later snapshot, under live traffic or while a driver writes. */
export const seam = gatewayCheck({
  name: 'follows.seam',
  requirements: [SEAM, 'ws.at-least-once', 'ws.event.data', 'ws.event.identity'],
  async run(trial) {
    const { context, resource } = trial;
    const { driver, observeMs } = context;
    const data = await eventDataOf(context, resource);
    const largest = largestLimit(context);
    const limit = driver === undefined ? largest : Math.min(PAGE, largest);
    await using records = driver === undefined ? undefined : await TrialRecords.of(trial);
    const writing = records?.burst(CHANGES);
    const first = await readSnapshot(trial, resource, limit);
    const probe = await trial.session();
    await trial.subscribed(probe, {
      subscription_id: 'first',
      resource: resource.name,
      cursor: first.cursor,
    });
    await writing;
    await records?.burst(CHANGES);
    if (driver === undefined) await context.clock.wait(observeMs, context.signal);
    const second = await readSnapshot(trial, resource, limit);
    await trial.subscribed(probe, {
      subscription_id: 'second',
      resource: resource.name,
      cursor: second.cursor,
    });

    const difference = () => differenceAfter(first, between(probe), second, { resource, data });
    // Events may take their time: only a difference that stays is wrong.
    await probe.until(() => (difference() === undefined ? true : undefined), ANSWER_MS);
    await probe.next(['replay_complete'], 0, ANSWER_MS);
    judge(trial, probe, { difference: difference(), first, second });
    for (const { eventType, data: said } of probe.events) {
      if (said === undefined) continue;
      const fault = data.faultOf(eventType, said);
      const expected = `The data of ${eventType} fits the schema of its descriptor.`;
      trial.judge('ws.event.data', fault === undefined, expected, fault ?? '', probe);
    }
  },
});

/** The events after the first cursor up to the second one. */
function between(probe: WsProbe) {
  const later = new Set(probe.eventsOf('second').map(({ eventId }) => eventId));
  const events = probe.eventsOf('first');
  const end = events.findIndex(({ eventId }) => later.has(eventId));
  const before = end === -1 ? events : events.slice(0, end);
  return before.filter(
    ({ eventId }, index) => before.findIndex((each) => each.eventId === eventId) === index,
  );
}

function judge(
  trial: GatewayTrial,
  probe: WsProbe,
  { difference, first, second }: { difference: string | undefined; first: Snapshot; second: Snapshot },
): void {
  const events = between(probe);
  const expected = 'A snapshot, and the events from its event_cursor on, are the later snapshot.';
  trial.judge(SEAM, difference === undefined, expected, difference ?? '', probe);
  const isQuiet = events.length === 0 && first.cursor === second.cursor;
  if (isQuiet) trial.context.findings.skip('ws.at-least-once', 'no data: nothing has changed meanwhile');
  else trial.judge('ws.at-least-once', difference === undefined, expected, difference ?? '', probe);
}
