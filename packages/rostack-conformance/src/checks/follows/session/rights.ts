import type { Resource } from 'rostack-core';
import { describeAnswer } from '../../../probe/judge-problem.ts';
import { gatewayCheck } from '../trial/gateway-check.ts';
import { type GatewayTrial, saidInstead } from '../trial/gateway-trial.ts';

const APART = 'permission.read-gives-no-subscribe';
const EMPTY = 'permission.subscribe-empty';

/** Reading and following are permitted independently. The driver makes tokens that have only some permissions. */
export const rights = gatewayCheck({
  name: 'follows.rights',
  requirements: [APART, EMPTY],
  needs: ['driver'],
  async run(trial) {
    const driver = trial.driver('issue');
    const tokenOf = async (permissions: readonly string[]) => {
      const token = await driver.issue({ permissions });
      trial.hide(token);
      return token;
    };
    const all = Object.keys(trial.context.discovery.authentication.permissions);
    for (const resource of trial.followed) {
      const { read_permissions: read, subscribe_permissions: subscribe } = resource;
      // Avoids a token without any permission, which not every target can make.
      const notReading = subscribe.length > 0 ? subscribe : all.filter((name) => !read.includes(name));
      if (subscribe.length === 0) await judgeEmpty(trial, resource, await tokenOf(notReading));
      if (subscribe.some((name) => !read.includes(name))) {
        const said = await subscribeWith(trial, resource, await tokenOf(read));
        const expected = `Who may read ${resource.name} and not follow it gets permission_denied.`;
        trial.judge(APART, said.code === 'permission_denied', expected, said.got);
      }
      if (read.some((name) => !subscribe.includes(name))) {
        const token = await tokenOf(notReading);
        const answer = await trial.context.http.get(resource.collection_url, { token });
        const expected = `Who may follow ${resource.name} and not read it gets 403 for its list.`;
        trial.judge(APART, answer.status === 403, expected, describeAnswer(answer));
      }
    }
  },
});

/** Without permissions to subscribe, a resource can be followed by everyone who is authenticated. */
async function judgeEmpty(trial: GatewayTrial, resource: Resource, token: string): Promise<void> {
  const said = await subscribeWith(trial, resource, token);
  const expected = `Without subscribe_permissions every authenticated principal may subscribe to ${resource.name}.`;
  trial.judge(EMPTY, said.code === 'subscribed', expected, said.got);
}

async function subscribeWith(trial: GatewayTrial, { name }: Resource, token: string) {
  const probe = await trial.session(token);
  const answer = await trial.subscribe(probe, { subscription_id: `rights-${name}`, resource: name });
  const code = answer?.type === 'subscribed' ? 'subscribed' : answer?.members.code;
  return { code, got: saidInstead(answer, probe) };
}
