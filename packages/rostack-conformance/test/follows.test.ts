import { RELEASES } from 'rostack-core';
import { expect, test } from 'vitest';
import { runConformance } from '../src/index.ts';
import { ReferenceDriver } from './reference/reference-driver.ts';
import { ReferenceServer } from './reference/reference-server.ts';

test.each(RELEASES)('the reference server follows and survives as %s says', async (release) => {
  await using reference = await ReferenceServer.start({ release });
  await using driver = new ReferenceDriver(reference);
  const only = ['follows', 'survives'];
  const { verdicts, results } = await runConformance({ ...reference.target, driver, only });
  expect(results.flatMap(({ error }) => error ?? [])).toEqual([]);
  expect(verdicts.flatMap(({ failures }) => failures)).toEqual([]);
  const skipped = results
    .flatMap(({ findings }) => findings)
    .flatMap((finding) => (finding.kind === 'skip' ? `${finding.id}: ${finding.reason}` : []))
    .filter((skip) => skip.startsWith('ws.'));
  // The reference offers one method, and events that carry their records.
  expect(skipped).toEqual(['ws.filtered.whole-record: no data: events carry the field of the filter']);
  const passed = new Set(
    verdicts.flatMap(({ requirement, status }) => (status === 'pass' ? requirement.id : [])),
  );
  expect([...passed].filter((id) => /^(ws|err\.ws)\./.test(id)).length).toBeGreaterThan(60);
});
