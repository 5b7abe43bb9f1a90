import { listUrl } from '../../../probe/place/urls.ts';
import { gatewayCheck } from '../trial/gateway-check.ts';
import { saidInstead } from '../trial/gateway-trial.ts';

const ID = 'permission.read-gives-no-subscribe';

/** Credentials that may only read, or only subscribe. */
export const permissions = gatewayCheck({
  name: 'follows.permissions',
  requirements: [ID],
  needs: ['driver'],
  async run(trial) {
    const { http, findings } = trial.context;
    const driver = trial.driver('issue');
    const isApart = (some: readonly string[], others: readonly string[]) =>
      some.some((name) => !others.includes(name));
    const apart = trial.followed.find(({ read_permissions: read, subscribe_permissions: subscribe }) =>
      isApart(subscribe, read),
    );
    if (apart === undefined) {
      findings.skip(ID, 'not claimed: to read is to subscribe');
      return;
    }
    const { name: resource, read_permissions: read, subscribe_permissions: subscribe } = apart;
    const reading = await driver.issue({ permissions: read });
    trial.hide(reading);
    const probe = await trial.session(reading);
    const answer = await trial.subscribe(probe, { subscription_id: 'read', resource });
    const isRefused = answer?.members.code === 'permission_denied';
    const expected = `Who may read ${resource} may not subscribe to it by that.`;
    trial.judge(ID, isRefused, expected, saidInstead(answer, probe), probe);
    if (!isApart(read, subscribe)) return;
    const following = await driver.issue({ permissions: subscribe });
    trial.hide(following);
    const list = await http.get(listUrl(apart, { limit: '1' }), { token: following });
    const expectedList = `Who may subscribe to ${resource} may not read it by that.`;
    trial.judge(ID, list.status === 403, expectedList, `A list was answered with ${list.status}.`);
  },
});
