import { gatewayCheck } from '../follows/trial/gateway-check.ts';
import { type GatewayTrial, saidInstead } from '../follows/trial/gateway-trial.ts';

/** What "soon after" means here: no target needs longer than this to notice. */
const SOON_MS = 30_000;

/** A credential is revoked, and a permission is lost, while connections are open. */
export const revocation = gatewayCheck({
  name: 'survives.revocation',
  level: 'survives',
  requirements: [
    'auth.token.revocable',
    'ws.close.4401',
    'ws.auth.revoked-permission',
    'err.ws.code.permission_revoked',
  ],
  needs: ['driver'],
  async run(trial) {
    const { clock, http, signal } = trial.context;
    const { name: resource, collection_url: list } = trial.resource;
    const driver = trial.driver('issue', 'revoke');
    const [doomed, other] = [await driver.issue({}), await driver.issue({})];
    for (const token of [doomed, other]) trial.hide(token);
    const probe = await trial.session(doomed);
    const spared = await trial.session(other);
    await trial.subscribed(probe, { subscription_id: 's', resource });
    await driver.revoke(doomed);
    const ended = await probe.end(SOON_MS);
    const expected = 'When a credential is revoked its connections are closed with 4401 soon after.';
    const got = ended === undefined ? `It was open for ${SOON_MS} ms.` : `It was closed with ${ended.code}.`;
    trial.judge('auth.token.revocable', ended !== undefined, expected, got, probe);
    if (ended !== undefined) trial.judge('ws.close.4401', ended.code === 4401, expected, got, probe);
    let { status } = await http.get(list, { token: doomed });
    for (const untilMs = clock.nowMs() + SOON_MS; status !== 401 && clock.nowMs() < untilMs; ) {
      await clock.wait(250, signal);
      ({ status } = await http.get(list, { token: doomed }));
    }
    const expectedList = 'A revoked credential is refused soon after.';
    trial.judge('auth.token.revocable', status === 401, expectedList, `A list was answered with ${status}.`);
    const isSpared = await trial.ping(spared);
    const expectedOther = 'Each credential is revoked alone.';
    trial.judge(
      'auth.token.revocable',
      isSpared,
      expectedOther,
      'Another one of the principal ended too.',
      spared,
    );
    await judgeLostPermission(trial);
  },
});

/** A credential that lacks a permission replaces one that has it. */
async function judgeLostPermission(trial: GatewayTrial): Promise<void> {
  const { discovery, findings } = trial.context;
  const guarded = trial.followed.find(({ subscribe_permissions: wanted }) => wanted.length > 0);
  if (guarded === undefined) {
    findings.skip('ws.auth.revoked-permission', 'not claimed: no subscribe_permissions');
    return;
  }
  const rest = Object.keys(discovery.authentication.permissions).filter(
    (name) => !guarded.subscribe_permissions.includes(name),
  );
  const lesser = await trial.driver('issue').issue({ permissions: rest });
  trial.hide(lesser);
  const probe = await trial.session();
  await trial.subscribed(probe, { subscription_id: 'lost', resource: guarded.name });
  const open = trial.followed.find(({ subscribe_permissions: wanted }) =>
    wanted.every((name) => rest.includes(name)),
  );
  if (open !== undefined) await trial.subscribed(probe, { subscription_id: 'kept', resource: open.name });
  const from = probe.messages.length;
  const answer = await trial.authenticate(probe, lesser);
  const revoked = await probe.until(
    () => probe.messages.find(({ index, members }) => index >= from && members.subscription_id === 'lost'),
    SOON_MS,
  );
  const isTold = revoked?.members.code === 'permission_revoked';
  const expected = 'A permission that is lost ends its subscription with permission_revoked.';
  const got = answer?.type === 'authenticated' ? saidInstead(revoked, probe) : saidInstead(answer, probe);
  for (const id of ['ws.auth.revoked-permission', 'err.ws.code.permission_revoked']) {
    trial.judge(id, isTold, expected, got, probe);
  }
  const isServed = probe.isOpen && (await trial.ping(probe));
  const ended = `The connection was closed with ${probe.closed?.code ?? 'nothing'}.`;
  trial.judge('ws.auth.revoked-permission', isServed, 'The others go on.', ended, probe);
}
