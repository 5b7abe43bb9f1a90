import type { WsProbe } from '../../probe/ws/ws-probe.ts';
import { startProxyTo } from '../../proxy/start-proxy-to.ts';
import { eventsOf } from '../follows/delivery/changes.ts';
import { snapshotCursor } from '../follows/delivery/cursors.ts';
import { gatewayCheck } from '../follows/trial/gateway-check.ts';
import { type GatewayTrial, saidInstead } from '../follows/trial/gateway-trial.ts';
import { TrialRecords } from '../follows/trial/trial-records.ts';

const RECORDS = 300;
const SOON_MS = 30_000;
const PAUSE_MS = 250;

/** History is dropped: old cursors become invalid, new ones stay valid, and a running replay is either complete or has to start again. */
export const pruning = gatewayCheck({
  name: 'survives.pruning',
  level: 'survives',
  requirements: [
    'ws.cursor.unavailable',
    'err.ws.code.cursor_unavailable',
    'ws.at-least-once',
    'ws.resume.replay',
  ],
  needs: ['driver'],
  async run(trial) {
    const { resource } = trial;
    const driver = trial.driver('put', 'delete', 'prune');
    await using proxy = await startProxyTo(trial.url);
    await using records = await TrialRecords.of(trial);
    const old = await snapshotCursor(trial, resource);
    const ids = new Set(await records.burst(RECORDS));
    const slow = await trial.session(undefined, { proxyPort: proxy.port });
    for (const link of proxy.links) link.stall('to client');
    slow.send({ type: 'subscribe', subscription_id: 'slow', resource: resource.name, cursor: old });
    await driver.prune();
    for (const link of proxy.links) link.resume();
    await judgeReplay(trial, slow, ids);
    await judgeOld(trial, old);

    const fresh = await snapshotCursor(trial, resource);
    const probe = await trial.session();
    const { index } = await trial.subscribed(probe, {
      subscription_id: 'new',
      resource: resource.name,
      cursor: fresh,
    });
    const complete = await probe.next(['replay_complete'], index, SOON_MS);
    const expected = 'A cursor from after the pruning counts.';
    trial.judge('ws.resume.replay', complete !== undefined, expected, 'No replay_complete came.', probe);
    const id = records.id();
    await records.put(id, 0);
    const [event] = await eventsOf(probe, 'new', id, 1);
    trial.judge('ws.at-least-once', event !== undefined, 'Events come after a pruning.', 'None came.', probe);
  },
});

/** The replay is complete, or ends with `cursor_unavailable` or the end of the connection: never a part that looks complete. */
async function judgeReplay(trial: GatewayTrial, probe: WsProbe, ids: ReadonlySet<string>): Promise<void> {
  const isUnavailable = () => probe.messages.some(({ members }) => members.code === 'cursor_unavailable');
  const complete = () => probe.messages.find(({ type }) => type === 'replay_complete');
  await probe.until(() => (isUnavailable() || complete() !== undefined ? true : undefined), SOON_MS);
  if (isUnavailable() || probe.closed !== undefined) {
    trial.keep('ws.at-least-once');
    return;
  }
  const events = probe.eventsOf('slow').filter(({ resourceId }) => ids.has(resourceId));
  const count = new Set(events.map(({ eventId }) => eventId)).size;
  const expected = 'A replay during a pruning is whole, or ends with cursor_unavailable.';
  trial.judge(
    'ws.at-least-once',
    count === 2 * RECORDS,
    expected,
    `${count} of ${2 * RECORDS} events came.`,
    probe,
  );
}

/** Pruning may take a while, so the old cursor is tried until it is refused. */
async function judgeOld(trial: GatewayTrial, cursor: string): Promise<void> {
  const { clock, signal } = trial.context;
  const untilMs = clock.nowMs() + SOON_MS;
  for (;;) {
    const probe = await trial.session();
    const members = { subscription_id: 'old', resource: trial.resource.name, cursor };
    const answer = await trial.subscribe(probe, members);
    const isRefused = answer?.members.code === 'cursor_unavailable';
    if (isRefused || clock.nowMs() > untilMs) {
      const expected = 'A cursor from before the pruning is refused with cursor_unavailable.';
      for (const id of ['ws.cursor.unavailable', 'err.ws.code.cursor_unavailable']) {
        trial.judge(id, isRefused, expected, saidInstead(answer, probe), probe);
      }
      return;
    }
    await probe.close();
    await clock.wait(PAUSE_MS, signal);
  }
}
