import { RELEASES } from 'rostack-core';
import { expect, test } from 'vitest';
import { runConformance, type Verdict } from '../src/index.ts';
import { serveGateway } from './support/serve-gateway.ts';

test.each(RELEASES)('our gateway keeps what is checked of %s', async (release) => {
  await using served = await serveGateway(release);
  const { verdicts, release: found } = await runConformance(served.target);
  expect(verdicts.filter(isBroken).map(sentences)).toEqual([]);
  expect(found).toBe(release);
  expect(verdicts.filter(({ status }) => status === 'pass').length).toBeGreaterThan(90);
});

/** Ours keeps what was decided where the protocol is silent too. */
const isBroken = ({ status, failures }: Verdict): boolean =>
  failures.length > 0 || status === 'error' || status === 'fail' || status === 'warn';

const sentences = ({ requirement, status, failures, reason }: Verdict): string =>
  [
    requirement.id,
    status,
    reason,
    ...failures.map(({ got, exchange }) => `${exchange?.url ?? ''} ${got}`),
  ].join('\n');
