import type { SeenEvent } from '../../../probe/ws/seen-message.ts';
import type { WsProbe } from '../../../probe/ws/ws-probe.ts';
import { drawFaults } from '../../../proxy/faults.ts';
import { startProxyTo } from '../../../proxy/start-proxy-to.ts';
import { gatewayCheck } from '../trial/gateway-check.ts';
import { ANSWER_MS, Blocked, type GatewayTrial } from '../trial/gateway-trial.ts';
import { TrialRecords } from '../trial/trial-records.ts';
import { snapshotCursor } from './cursors.ts';

const CONNECTIONS = 8;
const RECORDS = 20;
/** Faults happen within this many bytes of a connection, including TLS. */
const WITHIN_BYTES = 12_000;
/** A connection that is silent for this long is given up. */
const PATIENCE_MS = 1_000;

/** Connections are cut, left half open and slowed down, each at a random point, and resumed with the last cursor. */
export const losses = gatewayCheck({
  name: 'follows.losses',
  requirements: ['ws.at-least-once', 'ws.resume.same', 'ws.event.identity'],
  needs: ['driver'],
  async run(trial) {
    const { context, resource } = trial;
    await using proxy = await startProxyTo(trial.url);
    await using records = await TrialRecords.of(trial);
    let cursor = await snapshotCursor(trial, resource);
    const live = await trial.session();
    await trial.subscribed(live, { subscription_id: 'live', resource: resource.name });
    const written = records.burst(RECORDS);
    const seen: SeenEvent[] = [];
    for (let turn = 0; turn < CONNECTIONS; turn += 1) {
      proxy.use(drawFaults(context.random, WITHIN_BYTES));
      const probe = await follow(trial, cursor, proxy.port);
      seen.push(...probe.eventsOf('lossy'));
      cursor = seen.at(-1)?.cursor ?? cursor;
      await probe.close();
    }
    const ids = new Set(await written);
    const own = (events: readonly SeenEvent[]) => events.filter(({ resourceId }) => ids.has(resourceId));
    await live.until(() => (own(live.events).length >= 2 * RECORDS ? true : undefined), ANSWER_MS);
    const last = await trial.session();
    const definition = { subscription_id: 'lossy', resource: resource.name, cursor };
    const { index } = await trial.subscribed(last, definition);
    await last.next(['replay_complete'], index, ANSWER_MS);
    judge(trial, last, own(live.events), own([...seen, ...last.eventsOf('lossy')]));
  },
});

/** Follows through the proxy until the replay is complete, nothing more comes, or the connection is lost. */
async function follow(trial: GatewayTrial, cursor: string, proxyPort: number): Promise<WsProbe> {
  const probe = await trial.open({ proxyPort });
  const { tokens, clock } = trial.context;
  probe.send({ type: 'authenticate', method: tokens.method, token: tokens.main });
  const authenticated = await probe.next(['authenticated'], 0, PATIENCE_MS);
  if (authenticated === undefined) return probe;
  probe.send({ type: 'subscribe', subscription_id: 'lossy', resource: trial.resource.name, cursor });
  let heardMs = clock.nowMs();
  for (let heard = probe.messages.length; clock.nowMs() - heardMs < PATIENCE_MS && probe.isOpen; ) {
    await probe.until(() => (probe.messages.length > heard ? true : undefined), PATIENCE_MS / 2);
    if (probe.messages.length > heard) heardMs = clock.nowMs();
    heard = probe.messages.length;
    const isRefused = probe.messages.some(({ type }) => type === 'error');
    if (isRefused) {
      throw new Blocked('ws.at-least-once', 'The last cursor counts after a loss.', 'It was refused.', probe);
    }
    if (probe.messages.some(({ type }) => type === 'replay_complete')) break;
  }
  return probe;
}

function judge(
  trial: GatewayTrial,
  probe: WsProbe,
  live: readonly SeenEvent[],
  seen: readonly SeenEvent[],
): void {
  const wanted = [...new Set(live.map(({ eventId }) => eventId))];
  const found = [...new Set(seen.map(({ eventId }) => eventId))];
  const missing = wanted.filter((id) => !found.includes(id));
  const expected = 'Over connections that are lost, every event comes at least once, and in its order.';
  const got = `${missing.length} of ${wanted.length} did not come.`;
  trial.judge('ws.at-least-once', missing.length === 0 && wanted.length > 0, expected, got, probe);
  const isOrdered =
    found.filter((id) => wanted.includes(id)).join() === wanted.filter((id) => found.includes(id)).join();
  trial.judge('ws.resume.same', isOrdered, expected, 'They came in another order.', probe);
  const versions = new Map(live.map(({ eventId, resourceVersion }) => [eventId, resourceVersion] as const));
  const other = seen.find(
    ({ eventId, resourceVersion }) => (versions.get(eventId) ?? resourceVersion) !== resourceVersion,
  );
  const expectedIdentity = 'An event has one event_id and version, however often it is sent.';
  trial.judge('ws.event.identity', other === undefined, expectedIdentity, 'One has two versions.', probe);
}
