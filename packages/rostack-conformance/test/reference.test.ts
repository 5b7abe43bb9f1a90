import { RELEASES } from 'rostack-core';
import { expect, test } from 'vitest';
import { runConformance } from '../src/index.ts';
import { ReferenceServer } from './reference/reference-server.ts';

test.each(RELEASES)('the reference server keeps what is checked of %s', async (release) => {
  await using reference = await ReferenceServer.start({ release });
  const {
    verdicts,
    results,
    release: found,
  } = await runConformance({
    ...reference.target,
    level: 'reads',
  });
  expect(found).toBe(release);
  expect(results.flatMap(({ error }) => error ?? [])).toEqual([]);
  expect(verdicts.flatMap(({ failures }) => failures)).toEqual([]);
  expect(verdicts.filter(({ status }) => status === 'pass').length).toBeGreaterThan(90);
});
