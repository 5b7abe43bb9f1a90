import { text } from '../../../probe/ws/seen-message.ts';
import type { WsProbe } from '../../../probe/ws/ws-probe.ts';
import { gatewayCheck } from '../trial/gateway-check.ts';
import { ANSWER_MS, type GatewayTrial, saidInstead } from '../trial/gateway-trial.ts';

/** How long the target may take to close a connection. */
const LONGEST_MS = 20_000;
const SLACK_MS = 5_000;

/** What is accepted as a first message: a credential, in time, and nothing else. */
export const firstMessages = gatewayCheck({
  name: 'follows.authentication',
  requirements: [
    'ws.auth.first',
    'ws.auth.timeout',
    'ws.close.4401',
    'ws.close.4408',
    'ws.message.authenticated',
    'version.api',
    'auth.principal.stable',
    'auth.principal.opaque',
    'auth.offered-only',
    'err.ws.code.authentication_failed',
    'decided.frames.before-authentication',
  ],
  runsBeside: true,
  async run(trial) {
    const silent = await trial.connect();
    const silentSinceMs = trial.context.clock.nowMs();
    await judgePrincipal(trial);
    await judgeOrder(trial);
    await judgeRefused(trial);
    await judgeSilence(trial, silent, silentSinceMs);
  },
});

async function judgePrincipal(trial: GatewayTrial): Promise<void> {
  const { tokens, discovery } = trial.context;
  const ids: string[] = [];
  for (let turn = 0; turn < 2; turn += 1) {
    const probe = await trial.session();
    const [answer] = probe.messages.filter(({ type }) => type === 'authenticated');
    const { principal_id: id, api_version: apiVersion, method } = answer?.members ?? {};
    ids.push(text(id));
    const { api_version: claimed } = discovery.implementation;
    const expected = `api_version is ${claimed}, as in discovery.`;
    trial.judge(
      'version.api',
      apiVersion === claimed,
      expected,
      `It is ${JSON.stringify(apiVersion)}.`,
      probe,
    );
    const isSame = method === tokens.method;
    trial.judge(
      'ws.message.authenticated',
      isSame,
      `method is ${tokens.method}.`,
      `It is ${JSON.stringify(method)}.`,
      probe,
    );
    const isOpaque = !text(id).includes(tokens.main);
    trial.judge(
      'auth.principal.opaque',
      isOpaque,
      'principal_id contains no credential.',
      'It contains the token.',
      probe,
    );
  }
  const isStable = new Set(ids).size === 1;
  const expected = 'principal_id is the same on each connection of a credential.';
  trial.judge('auth.principal.stable', isStable, expected, 'It changed.');
}

/** Nothing sent before a credential has an effect. */
async function judgeOrder(trial: GatewayTrial): Promise<void> {
  const early = await trial.connect();
  early.send({ type: 'subscribe', subscription_id: 'early', resource: trial.resource.name });
  const answer = await early.next(['subscribed', 'event'], 0, SLACK_MS);
  const expected = 'Nothing is subscribed and no event is sent before authenticated.';
  trial.judge('ws.auth.first', answer === undefined, expected, `It sent ${answer?.type ?? ''}.`, early);
  if (answer !== undefined) return;
  const ended = await early.end(LONGEST_MS);
  if (ended !== undefined) {
    const isOurs = ended.code === 4401;
    // The protocol does not say which of these two codes applies.
    const isRight = isOurs || ended.code === 4400;
    trial.judge('ws.close.4401', isRight, 'It closes with 4401.', `It closed with ${ended.code}.`, early);
    trial.decide('decided.frames.before-authentication', isOurs, `The connection ends with ${ended.code}.`);
  }
}

async function judgeRefused(trial: GatewayTrial): Promise<void> {
  const { tokens, discovery } = trial.context;
  const wrong = await trial.connect();
  const answer = await trial.authenticate(wrong, `${tokens.main.slice(0, -4)}zzzz`);
  const isTold = ['authentication_failed', 'rate_limited'].some((code) => answer?.members.code === code);
  const isClosed = answer === undefined && wrong.closed?.code === 4401;
  const expectedRefusal = 'A wrong credential gets authentication_failed.';
  const id = 'err.ws.code.authentication_failed';
  trial.judge(id, isTold || isClosed, expectedRefusal, saidInstead(answer, wrong), wrong);
  const offered = new Set<string>(discovery.authentication.methods.map(({ type }) => type));
  const missing = ['shared_token', 'oauth2'].find((method) => !offered.has(method));
  if (missing === undefined) {
    trial.context.findings.skip('auth.offered-only', 'not claimed: every method is offered');
    return;
  }
  const other = await trial.connect();
  other.send({ type: 'authenticate', method: missing, token: tokens.main });
  const said = await other.next(['authenticated', 'error'], 0, ANSWER_MS);
  const expected = `${missing}, which discovery does not list, authenticates nobody.`;
  trial.judge('auth.offered-only', said?.type !== 'authenticated', expected, saidInstead(said, other), other);
}

/** Waits for the end of a connection on which nothing was said. */
async function judgeSilence(trial: GatewayTrial, probe: WsProbe, sinceMs: number): Promise<void> {
  const { discovery, clock, findings } = trial.context;
  const timeoutMs = discovery.capabilities.websocket.authentication_timeout_ms;
  if (timeoutMs > LONGEST_MS) {
    const reason = `authentication_timeout_ms is above ${LONGEST_MS}`;
    for (const id of ['ws.auth.timeout', 'ws.close.4408']) findings.skip(id, reason);
    return;
  }
  const ended = await probe.end(Math.max(0, sinceMs + timeoutMs + LONGEST_MS - clock.nowMs()));
  const expected = `Without authenticate the connection is closed with 4408 after ${timeoutMs} ms.`;
  const got = ended === undefined ? 'It was left open.' : `It was closed with ${ended.code}.`;
  trial.judge('ws.auth.timeout', ended !== undefined, expected, got, probe);
  if (ended !== undefined) trial.judge('ws.close.4408', ended.code === 4408, expected, got, probe);
}
