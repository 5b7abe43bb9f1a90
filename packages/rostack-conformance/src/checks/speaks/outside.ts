import { DISCOVERY_PATH } from 'rostack-core';
import { KitError } from '../../base/kit-error.ts';
import type { Check } from '../../check/check.ts';
import type { ProbeResponse } from '../../probe/http/http-probe.ts';
import { describeAnswer, isProblem } from '../../probe/judge-problem.ts';

const HOSTS = 'decided.hosts';
const STATUSES = 'decided.outside.statuses';
const PROBLEMS = 'decided.outside.problems';
const UPGRADE_FIELDS = 'decided.outside.upgrade-fields';
const OTHER_UPGRADES = 'decided.other-upgrades';

const KEY = btoa('rostack-conforms');
const LONG = 'a'.repeat(100_000);

/** How the HTTP parser, or a proxy in front of it, handles odd requests. */
export const outside: Check = {
  name: 'speaks.outside',
  level: 'speaks',
  requirements: [UPGRADE_FIELDS, HOSTS, STATUSES, PROBLEMS, OTHER_UPGRADES],
  needs: [],
  withoutWatches: true,
  async run({ discovery, findings, http, release }) {
    const gateway = discovery.endpoints.websocket.replace(/^ws/, 'http');
    const older = {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Key': KEY,
      'Sec-WebSocket-Version': '12',
    };
    for (const [headers, name, wanted] of [
      [{}, 'Upgrade', 'websocket'],
      [older, 'Sec-WebSocket-Version', '13'],
    ] as const) {
      const answer = await http.get(gateway, { headers });
      const isRight = isProblem(answer, release, ['invalid-request']) && answer.header(name) === wanted;
      findings.judge(UPGRADE_FIELDS, isRight, () => ({
        expected: `What has to be another upgrade is invalid-request (400), with ${name}: ${wanted}.`,
        got: `${describeAnswer(answer)} ${name}: ${answer.header(name) ?? '(missing)'}`,
        exchange: answer.exchange,
      }));
    }
    const foreign = await http.get(DISCOVERY_PATH, { headers: { Host: 'rostack-conformance.invalid' } });
    findings.judge(HOSTS, isProblem(foreign, release, ['invalid-request']), () => ({
      expected: 'A Host that is not that of the target is invalid-request (400).',
      got: describeAnswer(foreign),
      exchange: foreign.exchange,
    }));
    for (const [url, headers] of [
      [`${DISCOVERY_PATH}?${LONG}`, {}],
      [DISCOVERY_PATH, { 'X-Rostack-Conformance': LONG }],
    ] as const) {
      const answer = await answerOf(http.get(url, { headers }));
      if (answer === undefined) {
        for (const id of [STATUSES, PROBLEMS]) findings.note(id, 'the connection ends without an answer');
        continue;
      }
      const isRight = isProblem(answer, release, ['invalid-request']);
      for (const id of [STATUSES, PROBLEMS]) {
        findings.judge(id, isRight, () => ({
          expected:
            'A request that HTTP would refuse with 414 or 431 is invalid-request (400), as a problem.',
          got: describeAnswer(answer),
          exchange: answer.exchange,
        }));
      }
    }
    const upgrade = await http.get(DISCOVERY_PATH, { headers: { Connection: 'Upgrade', Upgrade: 'h2c' } });
    findings.judge(OTHER_UPGRADES, upgrade.status === 200 || upgrade.status === 401, () => ({
      expected: 'An offer to upgrade to anything but websocket is ignored, and the request is answered.',
      got: describeAnswer(upgrade),
      exchange: upgrade.exchange,
    }));
  },
};

/** Undefined if the connection ended instead. */
async function answerOf(request: Promise<ProbeResponse>): Promise<ProbeResponse | undefined> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof KitError && error.code === 'unreachable') return undefined;
    throw error;
  }
}
