import { SUBPROTOCOL } from 'rostack-core';
import { gatewayCheck } from '../trial/gateway-check.ts';
import { ANSWER_MS, type GatewayTrial } from '../trial/gateway-trial.ts';

const DEFLATE = 'permessage-deflate';

/** How connections are opened: the subprotocol, extensions, and places where a credential has no effect. */
export const upgrade = gatewayCheck({
  name: 'follows.upgrade',
  requirements: [
    'ws.compression',
    'decided.upgrade.subprotocol',
    'decided.outside.upgrade-fields',
    'auth.not-in-urls',
    'auth.not-in-subprotocols',
    'ws.auth.first',
  ],
  async run(trial) {
    const plain = await trial.connect();
    const got = `It chose ${plain.protocol === '' ? 'none' : plain.protocol}.`;
    trial.judge(
      'ws.subprotocol',
      plain.protocol === SUBPROTOCOL,
      `The gateway chooses ${SUBPROTOCOL}.`,
      got,
      plain,
    );
    const without = await trial.open({ protocols: [] });
    trial.decide(
      'decided.upgrade.subprotocol',
      without.refusal?.status === 400,
      `An upgrade without ${SUBPROTOCOL} is answered with ${without.refusal?.status ?? 'a connection'}.`,
    );
    await judgeFields(trial);
    await judgeCompression(trial);
    await judgePlaces(trial);
  },
});

/** Answers to requests that cannot be upgraded say what would help. */
async function judgeFields(trial: GatewayTrial): Promise<void> {
  const { http } = trial.context;
  const url = trial.url.href.replace(/^ws/, 'http');
  const id = 'decided.outside.upgrade-fields';
  const plain = await http.get(url);
  const isTold = plain.headers('upgrade').some((value) => value.toLowerCase() === 'websocket');
  trial.decide(id, isTold, 'A request that is not an upgrade gets no field Upgrade.');
  const older = await trial.open({ version: 8 });
  const instead = older.isOpen ? 'is taken' : 'gets no Sec-WebSocket-Version: 13';
  trial.decide(id, older.refusal?.versions === '13', `An upgrade of version 8 ${instead}.`);
}

async function judgeCompression(trial: GatewayTrial): Promise<void> {
  const listed = trial.context.discovery.capabilities.websocket.extensions.some((name) => name === DEFLATE);
  const offering = await trial.connect({ compression: true });
  const isUsed = offering.extensions.includes(DEFLATE);
  const expected = `${DEFLATE} is negotiated only where discovery lists it.`;
  trial.judge(
    'ws.compression',
    listed || !isUsed,
    expected,
    'It was negotiated, and is not listed.',
    offering,
  );
  if (listed && !isUsed) {
    trial.context.findings.note(
      'ws.compression',
      `${DEFLATE} is listed, and was not negotiated when offered.`,
    );
  }
  const isLost = !(await works(trial, offering));
  if (isLost && isUsed) {
    trial.fail(
      'ws.compression',
      `Messages go both ways with ${DEFLATE}.`,
      'A credential got no answer.',
      offering,
    );
  }
}

const works = async (
  trial: GatewayTrial,
  probe: Awaited<ReturnType<GatewayTrial['open']>>,
): Promise<boolean> => (await trial.authenticate(probe, trial.context.tokens.main)) !== undefined;

/** Sends a credential in each wrong place, and then no `authenticate`. */
async function judgePlaces(trial: GatewayTrial): Promise<void> {
  const { tokens } = trial.context;
  const { url } = trial;
  url.searchParams.set('token', tokens.main);
  url.searchParams.set('access_token', tokens.main);
  const places = [
    { id: 'auth.not-in-urls', where: 'the URL', options: { url } },
    { id: 'auth.not-in-urls', where: 'a cookie', options: { headers: { Cookie: `token=${tokens.main}` } } },
    {
      id: 'auth.not-in-subprotocols',
      where: 'a subprotocol',
      options: { protocols: [SUBPROTOCOL, tokens.main] },
    },
  ];
  for (const { id, where, options } of places) {
    const probe = await trial.open(options);
    const isEchoed = probe.protocol === tokens.main;
    const answer = probe.isOpen ? await subscribeFirst(trial, probe) : undefined;
    const isTaken = answer?.type === 'subscribed' || answer?.type === 'authenticated';
    const expected = `A credential in ${where} authenticates nobody.`;
    const got = isEchoed
      ? 'It was chosen as the subprotocol.'
      : `A subscription was answered with ${answer?.type}.`;
    trial.judge(id, !isTaken && !isEchoed, expected, got, probe);
  }
}

async function subscribeFirst(trial: GatewayTrial, probe: Awaited<ReturnType<GatewayTrial['open']>>) {
  probe.send({ type: 'subscribe', subscription_id: 'early', resource: trial.resource.name });
  return probe.next(['subscribed', 'authenticated'], 0, ANSWER_MS);
}
