import type { Resource } from 'rostack-core';
import type { WsProbe } from '../../../probe/ws/ws-probe.ts';
import { gatewayCheck } from '../trial/gateway-check.ts';
import { ANSWER_MS, type GatewayTrial, saidInstead } from '../trial/gateway-trial.ts';

/** Messages that no client may send, and the requirement that each tests. */
function malformed({
  name: resource,
  event_filtering: isFiltered,
}: Resource): readonly { readonly id: string; readonly what: string; readonly message: object | string }[] {
  const subscribe = { type: 'subscribe', subscription_id: 's', resource };
  const code = 'err.ws.code.invalid_message';
  return [
    { id: 'ws.closed', what: 'an unknown member', message: { type: 'ping', id: '1', extra: true } },
    { id: 'ws.closed', what: 'an unknown member of subscribe', message: { ...subscribe, extra: 1 } },
    { id: 'ws.messages.eleven', what: 'a type of its own', message: { type: 'hello' } },
    {
      id: 'ws.messages.eleven',
      what: 'a message that only a server sends',
      message: { type: 'replay_complete', subscription_id: 's' },
    },
    { id: code, what: 'a ping without id', message: { type: 'ping' } },
    {
      id: code,
      what: 'a subscription without a resource',
      message: { type: 'subscribe', subscription_id: 's' },
    },
    { id: code, what: 'an empty subscription_id', message: { ...subscribe, subscription_id: '' } },
    { id: code, what: 'event_types without a member', message: { ...subscribe, event_types: [] } },
    ...(isFiltered === true
      ? [{ id: code, what: 'a filter without a member', message: { ...subscribe, filter: {} } }]
      : []),
    { id: code, what: 'an array', message: '["e"]' },
  ];
}

/** Anything that is not a valid message is refused, and its connection survives or ends as the protocol says. */
export const malformedMessages = gatewayCheck({
  name: 'follows.malformed',
  requirements: [
    'ws.closed',
    'ws.messages.eleven',
    'err.ws.code.invalid_message',
    'ws.frames',
    'ws.close.4400',
    'decided.malformed',
    'decided.json.twice',
    'decided.frames',
  ],
  async run(trial) {
    let probe = await trial.session();
    for (const { id, what, message } of malformed(trial.resource)) {
      await judgeRefused(trial, probe, id, what, message);
      trial.decide('decided.malformed', probe.isOpen, 'A malformed message ends the connection.');
      if (!probe.isOpen) probe = await trial.session();
    }
    await judgeRepeatedMember(trial);
    await judgeEnd(trial, 'a binary frame', new Uint8Array([1, 2, 3]));
    await judgeEnd(trial, 'a text that is not JSON', '{"type":');
  },
});

async function judgeRefused(
  trial: GatewayTrial,
  probe: WsProbe,
  id: string,
  what: string,
  message: object | string,
) {
  const from = probe.messages.length;
  probe.send(message);
  const answer = await probe.next(['error', 'subscribed', 'pong', 'authenticated'], from, ANSWER_MS);
  const isTold = answer?.members.code === 'invalid_message';
  const isEnded = answer === undefined && probe.closed?.code === 4400;
  trial.judge(
    id,
    isTold || isEnded,
    `${what} is refused with invalid_message.`,
    saidInstead(answer, probe),
    probe,
  );
}

async function judgeRepeatedMember(trial: GatewayTrial): Promise<void> {
  const probe = await trial.session();
  const from = probe.messages.length;
  probe.send('{"type":"ping","id":"1","id":"2"}');
  const answer = await probe.next(['error', 'pong'], from, ANSWER_MS);
  const isRefused = answer?.type !== 'pong';
  trial.decide('decided.json.twice', isRefused, 'A message with a member twice is taken.');
}

/** A frame that is not a message at all ends its connection with 4400. */
async function judgeEnd(trial: GatewayTrial, what: string, frame: string | Uint8Array): Promise<void> {
  const probe = await trial.session();
  probe.send(frame);
  const ended = await probe.end(ANSWER_MS);
  const expected = `${what} ends the connection with 4400.`;
  const got = ended === undefined ? 'It was left open.' : `It was closed with ${ended.code}.`;
  trial.judge('ws.frames', ended !== undefined, expected, got, probe);
  if (ended === undefined) return;
  // WebSockets have their own codes for this (RFC 6455, section 7.4.1), which need not come from the application.
  if (ended.code >= 4000) trial.judge('ws.close.4400', ended.code === 4400, expected, got, probe);
  trial.decide('decided.frames', ended.code === 4400, `${what} ends the connection with ${ended.code}.`);
}
