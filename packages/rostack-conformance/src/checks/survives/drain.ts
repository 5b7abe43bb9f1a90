import { eventsOf } from '../follows/delivery/changes.ts';
import { gatewayCheck } from '../follows/trial/gateway-check.ts';
import { ANSWER_MS } from '../follows/trial/gateway-trial.ts';
import { TrialRecords } from '../follows/trial/trial-records.ts';

const SLACK_MS = 15_000;
const LONGEST_MS = 120_000;

/** The target drains and comes back: followers continue from where they were. */
export const drain = gatewayCheck({
  name: 'survives.drain',
  level: 'survives',
  requirements: ['ws.drain', 'ws.close.4410', 'ws.message.go_away', 'ws.at-least-once'],
  needs: ['driver'],
  async run(trial) {
    const { name: resource } = trial.resource;
    const driver = trial.driver('put', 'delete', 'drain', 'restart');
    await using records = await TrialRecords.of(trial);
    const probe = await trial.session();
    await trial.subscribed(probe, { subscription_id: 's', resource });
    const { clock } = trial.context;
    const askedMs = clock.nowMs();
    await driver.drain();
    const goAway = await probe.next(['go_away'], 0, ANSWER_MS);
    const expected = 'A server that drains sends go_away.';
    trial.judge('ws.drain', goAway !== undefined, expected, 'None came.', probe);
    const timeoutMs = Number(goAway?.members.drain_timeout_ms ?? 0);
    // If the kit was held up, its ping may be too late: the drain timeout, counted from the request, is over then.
    const isOver = () => clock.nowMs() - askedMs >= timeoutMs;
    const isServed = goAway === undefined || (await trial.ping(probe)) || isOver();
    const expectedServed = 'It goes on serving until drain_timeout_ms.';
    const gone = `The connection was closed with ${probe.closed?.code ?? 'nothing'}.`;
    trial.judge('ws.drain', isServed, expectedServed, gone, probe);
    const ended = await probe.end(Math.min(timeoutMs + SLACK_MS, LONGEST_MS));
    const expectedEnd = `Then it closes with 4410, after ${timeoutMs} ms.`;
    const got = ended === undefined ? 'It was left open.' : `It was closed with ${ended.code}.`;
    trial.judge('ws.drain', ended !== undefined, expectedEnd, got, probe);
    if (ended !== undefined) trial.judge('ws.close.4410', ended.code === 4410, expectedEnd, got, probe);
    await driver.restart();
    const id = records.id();
    const after = await trial.session();
    await trial.subscribed(after, { subscription_id: 's', resource });
    await records.put(id, 0);
    const [event] = await eventsOf(after, 's', id, 1);
    trial.judge(
      'ws.at-least-once',
      event !== undefined,
      'It serves again afterwards.',
      'No event came.',
      after,
    );
  },
});
