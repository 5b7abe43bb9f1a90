import { gatewayCheck } from '../follows/trial/gateway-check.ts';
import type { GatewayTrial } from '../follows/trial/gateway-trial.ts';

/** Long enough for a slow driver, too. */
const LIFE_MS = 4_000;
/** A target may check for expiry only from time to time. */
const LATE_MS = 15_000;

/** A credential expires while its connection is open; on another connection it is replaced in time. */
export const expiry = gatewayCheck({
  name: 'survives.expiry',
  level: 'survives',
  requirements: [
    'ws.auth.expiry',
    'ws.close.4401',
    'ws.auth.again',
    'auth.token.expiry',
    'ws.rule.date_time_valid',
  ],
  needs: ['driver'],
  async run(trial) {
    const { clock, http, findings } = trial.context;
    const { name: resource, collection_url: list } = trial.resource;
    const long = await issued(trial);
    // Its first credential expires before that of the other connection.
    const kept = await trial.session(await issued(trial, LIFE_MS));
    await trial.subscribed(kept, { subscription_id: 's', resource });
    const again = await trial.authenticate(kept, long);
    const issuedMs = clock.nowMs();
    const short = await issued(trial, LIFE_MS);
    const probe = await trial.session(short);
    const said = probe.messages.find(({ type }) => type === 'authenticated')?.members.reauthenticate_at;
    const saidMs = typeof said === 'string' ? Date.parse(said) : Number.NaN;
    const isTold = saidMs <= issuedMs + LIFE_MS + LATE_MS;
    const expectedTime = 'authenticated has reauthenticate_at, not after the credential expires.';
    trial.judge('ws.message.authenticated', isTold, expectedTime, `It is ${JSON.stringify(said)}.`, probe);
    await trial.subscribed(probe, { subscription_id: 's', resource });

    const ended = await probe.end(LIFE_MS + LATE_MS);
    const expected = 'When the credential expires the connection is closed with 4401.';
    const got = ended === undefined ? 'It was left open.' : `It was closed with ${ended.code}.`;
    trial.judge('ws.auth.expiry', ended !== undefined, expected, got, probe);
    if (ended !== undefined) trial.judge('ws.close.4401', ended.code === 4401, expected, got, probe);
    const { status } = await http.get(list, { token: short });
    if (status === 401) trial.keep('auth.token.expiry');
    else findings.note('auth.token.expiry', `An expired token is answered with ${status}.`);

    const isKept = again?.type === 'authenticated' && (await trial.ping(kept));
    const expectedAgain = `A connection that authenticates again in time is kept beyond the first expiry.`;
    const gotAgain = `It was closed with ${kept.closed?.code ?? 'nothing'}, or the credential refused.`;
    trial.judge('ws.auth.again', isKept, expectedAgain, gotAgain, kept);
  },
});

/** Issues a credential of the main principal. */
async function issued(trial: GatewayTrial, expiresInMs?: number): Promise<string> {
  const token = await trial.driver('issue').issue({ expiresInMs });
  trial.hide(token);
  return token;
}
