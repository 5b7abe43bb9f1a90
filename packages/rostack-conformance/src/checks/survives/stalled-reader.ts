import { startProxyTo } from '../../proxy/start-proxy-to.ts';
import { gatewayCheck } from '../follows/trial/gateway-check.ts';
import { TrialRecords } from '../follows/trial/trial-records.ts';

const RECORDS = 600;
const CATCH_UP_MS = 60_000;

/** A client reads nothing for a while, during which a lot is written, and then continues. */
export const stalledReader = gatewayCheck({
  name: 'survives.stalled-reader',
  level: 'survives',
  requirements: ['ws.at-least-once', 'ws.resume.no-overtake', 'decided.slow-consumer'],
  needs: ['driver'],
  async run(trial) {
    const { context, resource } = trial;
    trial.driver('put', 'delete', 'burst');
    await using proxy = await startProxyTo(trial.url);
    await using records = await TrialRecords.of(trial);
    const [live, slow] = [await trial.session(), await trial.session(undefined, { proxyPort: proxy.port })];
    for (const probe of [live, slow]) {
      await trial.subscribed(probe, { subscription_id: 's', resource: resource.name });
    }
    for (const link of proxy.links) link.stall('to client');
    const ids = new Set(await records.burst(RECORDS));
    const own = (probe: typeof live) => [
      ...new Set(
        probe.eventsOf('s').flatMap(({ resourceId, eventId }) => (ids.has(resourceId) ? [eventId] : [])),
      ),
    ];
    await live.until(() => (own(live).length >= 2 * RECORDS ? true : undefined), CATCH_UP_MS);
    for (const link of proxy.links) link.resume();
    const isLeftBehind = () =>
      slow.messages.some(
        ({ members }) => members.code === 'cursor_unavailable' && members.subscription_id === 's',
      );
    const wanted = own(live);
    await slow.until(
      () => (own(slow).length >= wanted.length || isLeftBehind() ? true : undefined),
      CATCH_UP_MS,
    );
    const seen = own(slow);
    if (isLeftBehind() || slow.closed !== undefined) {
      const how = isLeftBehind() ? 'gets cursor_unavailable' : `is closed with ${slow.closed?.code}`;
      trial.decide('decided.slow-consumer', false, `A client that does not read ${how}.`);
      context.findings.skip('ws.at-least-once', 'the slow client was told to start again');
      return;
    }
    trial.keep('decided.slow-consumer');
    const missing = 2 * RECORDS - seen.length;
    const expected = 'A client that reads late gets every event all the same, in its order.';
    trial.judge(
      'ws.at-least-once',
      missing === 0,
      expected,
      `${missing} of ${2 * RECORDS} did not come.`,
      slow,
    );
    const isOrdered = seen.join() === wanted.filter((id) => seen.includes(id)).join();
    trial.judge('ws.resume.no-overtake', isOrdered, expected, 'They came in another order.', slow);
  },
});
