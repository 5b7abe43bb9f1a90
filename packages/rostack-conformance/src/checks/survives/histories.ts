import { itemUrl } from '../../probe/place/urls.ts';
import { eventsOf } from '../follows/delivery/changes.ts';
import { gatewayCheck } from '../follows/trial/gateway-check.ts';
import { saidInstead } from '../follows/trial/gateway-trial.ts';
import { TrialRecords } from '../follows/trial/trial-records.ts';

const HISTORIES = 'decided.histories';

/** The target is restored and continues from there: nothing of the lost history is mistaken for the new one. */
export const histories = gatewayCheck({
  name: 'survives.histories',
  level: 'survives',
  requirements: [HISTORIES],
  needs: ['driver'],
  async run(trial) {
    const { tokens, http } = trial.context;
    const { name: resource } = trial.resource;
    const driver = trial.driver('put', 'delete', 'save', 'restore');
    await using records = await TrialRecords.of(trial);
    const kept = records.id();
    await records.put(kept, 0);
    await driver.save();
    const probe = await trial.session();
    await trial.subscribed(probe, { subscription_id: 's', resource });
    const lost = records.id();
    await records.put(kept, 1);
    await records.put(lost, 0);
    const [event] = await eventsOf(probe, 's', lost, 1);
    const changed = await http.get(itemUrl(trial.resource, kept), { token: tokens.main });
    const etag = changed.header('etag');
    await driver.restore();
    // The same number of changes again, so that the positions are used a second time.
    await records.put(kept, 1);
    await records.put(records.id(), 1);
    await records.put(records.id(), 0);
    if (event !== undefined) {
      const after = await trial.session();
      const answer = await trial.subscribe(after, { subscription_id: 's', resource, cursor: event.cursor });
      const isRefused = answer?.members.code === 'cursor_unavailable';
      trial.decide(HISTORIES, isRefused, `A cursor of a lost history: ${saidInstead(answer, after)}`);
    }
    if (etag === undefined) return;
    const again = await http.get(itemUrl(trial.resource, kept), {
      token: tokens.main,
      headers: { 'If-None-Match': etag },
    });
    trial.decide(
      HISTORIES,
      again.status === 200,
      `An ETag of a lost history is answered with ${again.status}.`,
    );
  },
});
