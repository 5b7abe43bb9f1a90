import { RELEASES } from 'rostack-core';
import { expect, test } from 'vitest';
import { runConformance } from '../src/index.ts';
import { serveGateway } from './support/serve-gateway.ts';

test.each(RELEASES)('our gateway keeps what is checked of %s', async (release) => {
  await using served = await serveGateway(release);
  const { verdicts, release: found } = await runConformance(served.target);
  const broken = verdicts.filter(({ status }) => !['pass', 'note', 'skip'].includes(status));
  expect(
    broken.map(({ requirement, status, failures, reason }) => [requirement.id, status, failures, reason]),
  ).toEqual([]);
  expect(found).toBe(release);
  expect(verdicts.filter(({ status }) => status === 'pass').length).toBeGreaterThan(0);
});
