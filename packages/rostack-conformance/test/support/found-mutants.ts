import { expect } from 'vitest';
import { CHECKS } from '../../src/checks/checks.ts';
import { runConformance, type Target } from '../../src/index.ts';
import type { Mutant } from '../reference/mutant.ts';
import { ReferenceDriver } from '../reference/reference-driver.ts';
import { ReferenceServer } from '../reference/reference-server.ts';

/** All of Speaks and Reads is asked of each mutant, not only what it breaks: takes minutes. */
const isWhole = process.env['CONFORMANCE_WHOLE'] === '1';

/** Checks that ask enough for those that look at every answer. */
const ALWAYS = ['reads.pages.chains', 'reads.items', 'speaks.queries', 'speaks.absences'];

async function brokenBy(mutant: Mutant, how: Partial<Target>, isDriven = false): Promise<readonly string[]> {
  await using reference = await ReferenceServer.start({ mutant });
  await using driver = isDriven ? new ReferenceDriver(reference) : undefined;
  const { verdicts, results } = await runConformance({ ...reference.target, level: 'reads', driver, ...how });
  expect(results.flatMap(({ error }) => error ?? [])).toEqual([]);
  return verdicts.filter(({ failures }) => failures.length > 0).map(({ requirement }) => requirement.id);
}

/** Exactly the requirements that the mutant breaks are found broken, by the checks that judge them. */
export async function expectFound(mutant: Mutant): Promise<void> {
  const { fails } = mutant;
  const isWatched = fails.some((id) => CHECKS.every(({ requirements }) => !requirements.includes(id)));
  const found = await brokenBy(mutant, isWhole ? {} : { only: [...fails, ...(isWatched ? ALWAYS : [])] });
  expect(found.toSorted()).toEqual(fails.toSorted());
}

/** As `expectFound`, for faults that show while records change. */
export async function expectFoundWhileChanging(mutant: Mutant): Promise<void> {
  const found = await brokenBy(mutant, { only: ['reads.pages.while-changing'] }, true);
  expect(found.toSorted()).toEqual(mutant.fails.toSorted());
}

/** As `expectFound`, for faults of the discovery document. */
export async function expectFoundInDocument(mutant: Mutant): Promise<void> {
  const found = await brokenBy(mutant, { only: ['speaks.discovery.document'] });
  expect(found.toSorted()).toEqual(mutant.fails.toSorted());
}
