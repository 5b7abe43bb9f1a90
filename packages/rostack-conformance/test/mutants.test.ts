import { expect, test } from 'vitest';
import { runConformance } from '../src/index.ts';
import { FILTER_MUTANTS } from './reference/mutants/filter-mutants.ts';
import { READS_MUTANTS } from './reference/mutants/reads-mutants.ts';
import { ReferenceServer } from './reference/reference-server.ts';

/** Everything is checked of each mutant, not only what it breaks: takes two minutes. */
const isWhole = process.env['CONFORMANCE_WHOLE'] === '1';

const MUTANTS = { ...FILTER_MUTANTS, ...READS_MUTANTS };

test.each(Object.entries(MUTANTS))('%s', async (_, mutant) => {
  await using reference = await ReferenceServer.start({ mutant });
  const { verdicts, results } = await runConformance({
    ...reference.target,
    level: 'reads',
    ...(!isWhole && { only: [...mutant.fails, 'reads.pages.chains'] }),
  });
  const broken = verdicts.filter(({ failures }) => failures.length > 0);
  expect(
    broken.map(({ requirement }) => requirement.id).sort(),
    JSON.stringify(
      broken.map(({ requirement, failures }) => [
        requirement.id,
        failures[0]?.expected,
        failures[0]?.got,
        failures[0]?.exchange?.url,
      ]),
      null,
      1,
    ),
  ).toEqual([...mutant.fails].sort());
  expect(results.flatMap(({ error }) => error ?? [])).toEqual([]);
});
