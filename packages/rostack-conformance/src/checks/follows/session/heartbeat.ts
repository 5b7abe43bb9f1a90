import { text } from '../../../probe/ws/seen-message.ts';
import { gatewayCheck } from '../trial/gateway-check.ts';
import type { GatewayTrial } from '../trial/gateway-trial.ts';

/** Longer heartbeats are waited for only if live traffic may be watched for that long. */
const SHORT_MS = 10_000;
/** For scheduling and networks, in addition to the times that discovery gives. */
const SLACK_MS = 10_000;

/** Pings and pongs, both ways. */
export const heartbeat = gatewayCheck({
  name: 'follows.heartbeat',
  requirements: [
    'ws.heartbeat.pong',
    'ws.heartbeat.ping',
    'ws.heartbeat.matching',
    'ws.heartbeat.stale',
    'ws.close.4408',
  ],
  runsBeside: true,
  async run(trial) {
    const probe = await trial.session();
    const isAnswered = await trial.ping(probe);
    const expected = 'A ping is answered with a pong of the same id.';
    trial.judge('ws.heartbeat.pong', isAnswered, expected, 'No such pong came.', probe);
    await judgeSilence(trial);
  },
});

async function judgeSilence(trial: GatewayTrial): Promise<void> {
  const { discovery, findings, observeMs } = trial.context;
  const { heartbeat_interval_ms: intervalMs, heartbeat_timeout_ms: timeoutMs } =
    discovery.capabilities.websocket;
  if (intervalMs + timeoutMs > Math.max(SHORT_MS, observeMs)) {
    const reason = `a heartbeat takes ${intervalMs + timeoutMs} ms: observe that long`;
    for (const id of ['ws.heartbeat.ping', 'ws.heartbeat.matching', 'ws.heartbeat.stale', 'ws.close.4408']) {
      findings.skip(id, reason);
    }
    return;
  }
  await Promise.all([judgeStale(trial, intervalMs, timeoutMs), judgeIds(trial, intervalMs)]);
}

async function judgeStale(trial: GatewayTrial, intervalMs: number, timeoutMs: number): Promise<void> {
  const silent = await trial.session();
  silent.answersPings = false;
  const first = await silent.next(['ping'], 0, intervalMs + SLACK_MS);
  const expectedPing = `A server that hears nothing for ${intervalMs} ms sends a ping.`;
  trial.judge('ws.heartbeat.ping', first !== undefined, expectedPing, 'None came.', silent);
  if (first === undefined) return;
  silent.send({ type: 'pong', id: `not-${text(first.members.id)}` });
  // Later pings are answered correctly, so the connection ends because of this one.
  silent.answersPings = true;
  const ended = await silent.end(timeoutMs + SLACK_MS);
  const expected = `Without the matching pong the connection is closed with 4408 after ${timeoutMs} ms.`;
  const got = ended === undefined ? 'It was left open.' : `It was closed with ${ended.code}.`;
  for (const id of ['ws.heartbeat.matching', 'ws.heartbeat.stale']) {
    trial.judge(id, ended !== undefined, expected, got, silent);
  }
  if (ended !== undefined) trial.judge('ws.close.4408', ended.code === 4408, expected, got, silent);
}

/** Two pings in a row, answered correctly, have different ids, and the connection stays open. */
async function judgeIds(trial: GatewayTrial, intervalMs: number): Promise<void> {
  const probe = await trial.session();
  const first = await probe.next(['ping'], 0, intervalMs + SLACK_MS);
  const second = first && (await probe.next(['ping'], first.index + 1, intervalMs + SLACK_MS));
  const isNew = second !== undefined && second.members.id !== first?.members.id;
  const got = second === undefined ? 'No second ping came.' : 'The second ping had the id of the first.';
  trial.judge('ws.heartbeat.ping', isNew, 'Each ping has an id of its own.', got, probe);
}
