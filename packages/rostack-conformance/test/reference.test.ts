import { RELEASES } from 'rostack-core';
import { expect, test } from 'vitest';
import { runConformance } from '../src/index.ts';
import { OtherServer } from './reference/other-server.ts';
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

test('an implementation that decides otherwise where the protocol is silent is not blamed for it', async () => {
  await using other = await OtherServer.start();
  const { verdicts, results, release } = await runConformance({ ...other.target, level: 'reads' });
  expect(release).toBe('2026-08-12');
  expect(results.flatMap(({ error }) => error ?? [])).toEqual([]);
  const failed = verdicts.filter(({ status }) => status === 'fail' || status === 'error');
  expect(
    failed.map(({ requirement, failures }) => [requirement.id, failures[0]?.expected, failures[0]?.got]),
  ).toEqual([]);
  const told = verdicts.filter(({ status }) => status === 'warn' || status === 'note');
  expect(told.map(({ requirement }) => requirement.id)).toEqual(
    expect.arrayContaining([
      'discovery.caching',
      'json.item.etag',
      'decided.parameters',
      'decided.limit.default',
    ]),
  );
});
