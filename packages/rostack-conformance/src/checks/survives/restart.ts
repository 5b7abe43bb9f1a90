import { eventsOf } from '../follows/delivery/changes.ts';
import { gatewayCheck } from '../follows/trial/gateway-check.ts';
import { ANSWER_MS } from '../follows/trial/gateway-trial.ts';
import { TrialRecords } from '../follows/trial/trial-records.ts';

/** The target dies without warning and comes back: earlier cursors are still valid, and nothing is lost. */
export const restart = gatewayCheck({
  name: 'survives.restart',
  level: 'survives',
  requirements: ['ws.at-least-once', 'ws.resume.same', 'ws.event.identity', 'auth.principal.stable'],
  needs: ['driver'],
  async run(trial) {
    const { name: resource } = trial.resource;
    const driver = trial.driver('put', 'delete', 'restart');
    await using records = await TrialRecords.of(trial);
    const probe = await trial.session();
    await trial.subscribed(probe, { subscription_id: 's', resource });
    const ids = [records.id(), records.id()] as const;
    await records.put(ids[0], 0);
    await records.put(ids[0], 1);
    await records.put(ids[1], 0);
    const [first, second] = await eventsOf(probe, 's', ids[0], 2);
    const [third] = await eventsOf(probe, 's', ids[1], 1);
    await driver.restart();
    await probe.end(ANSWER_MS);
    await records.put(ids[1], 1);

    const after = await trial.session();
    const principals = [probe, after].map(
      ({ messages }) => messages.find(({ type }) => type === 'authenticated')?.members.principal_id,
    );
    const isSame = principals[0] === principals[1];
    const expectedId = 'principal_id is the same after a restart.';
    trial.judge('auth.principal.stable', isSame, expectedId, 'It is another.', after);
    if (first === undefined) return;
    await trial.subscribed(after, { subscription_id: 's', resource, cursor: first.cursor });
    const [again] = await eventsOf(after, 's', ids[0], 1);
    const [thirdAgain, last] = await eventsOf(after, 's', ids[1], 2);
    const expected = 'A cursor from before a restart counts after it, and no event is lost.';
    const count = [again, thirdAgain, last].filter((event) => event !== undefined).length;
    trial.judge('ws.at-least-once', count === 3, expected, `${count} of 3 came.`, after);
    const pairs = [
      [second, again],
      [third, thirdAgain],
    ] as const;
    for (const [before, now] of pairs) {
      if (before === undefined || now === undefined) continue;
      const isTwin = before.eventId === now.eventId && before.resourceVersion === now.resourceVersion;
      const expectedTwin = 'An event has the same event_id and version after a restart.';
      trial.judge('ws.event.identity', isTwin, expectedTwin, 'They are others.', after);
      const isRight = before.eventType === now.eventType;
      trial.judge(
        'ws.resume.same',
        isRight,
        'A replay brings the events that were live.',
        'It does not.',
        after,
      );
    }
  },
});
