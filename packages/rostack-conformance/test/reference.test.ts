import { RELEASES } from 'rostack-core';
import { SeededRandom } from 'rostack-core/testing';
import { expect, test } from 'vitest';
import { runConformance } from '../src/index.ts';
import type { Mutant } from './reference/mutant.ts';
import { refusal } from './reference/mutants/answers.ts';
import { OtherServer } from './reference/other-server.ts';
import { REFERENCE_RECORDS } from './reference/reference-records.ts';
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

test("records that change while they are read are nobody's fault", async () => {
  const random = new SeededRandom(7);
  let asked = 0;
  const restless: Mutant = {
    fails: [],
    answer: (request, answer) => {
      asked += 1;
      // Lists are read twice to be compared: now and then nothing changes in between.
      if (asked % 9 === 0) change(reference, random);
      return answer(request);
    },
  };
  await using reference = await ReferenceServer.start({ mutant: restless });
  const { verdicts, results } = await runConformance({ ...reference.target, level: 'reads' });
  expect(results.flatMap(({ error }) => error ?? [])).toEqual([]);
  expect(verdicts.flatMap(({ failures }) => failures)).toEqual([]);
});

test('a server that takes no long URL is not blamed for its limit', async () => {
  let refused = 0;
  const brief: Mutant = {
    fails: [],
    async answer(request, answer) {
      if (request.url.length < 8_000) return answer(request);
      refused += 1;
      return refusal('invalid-request');
    },
  };
  await using reference = await ReferenceServer.start({ mutant: brief });
  const only = ['reads.filter'];
  const { verdicts, results } = await runConformance({ ...reference.target, level: 'reads', only });
  expect(refused).toBeGreaterThan(0);
  expect(results.flatMap(({ error }) => error ?? [])).toEqual([]);
  expect(verdicts.flatMap(({ failures }) => failures)).toEqual([]);
});

/** Adds, changes or deletes a plant. */
function change(reference: ReferenceServer, random: SeededRandom): void {
  const plants = REFERENCE_RECORDS['plants'] ?? [];
  const plant = random.pick(plants);
  const id = plant['id'];
  if (typeof id === 'string' && random.oneIn(3)) reference.delete('plants', id);
  else reference.put('plants', { ...plant, name: random.pick(['elm', 'Elm', 'oak', '\u{1f333}']) });
}

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
