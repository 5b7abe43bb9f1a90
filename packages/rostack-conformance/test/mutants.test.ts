import { expect, test } from 'vitest';
import type { Check } from '../src/check/check.ts';
import { CHECKS, WATCHES } from '../src/checks.ts';
import { type Requirement, readRequirements, runConformance, type Target } from '../src/index.ts';
import type { Mutant } from './reference/mutant.ts';
import { DOCUMENT_MUTANTS } from './reference/mutants/document-mutants.ts';
import { FILTER_MUTANTS } from './reference/mutants/filter-mutants.ts';
import { CHANGING_MUTANTS, READS_MUTANTS } from './reference/mutants/reads-mutants.ts';
import { SPEAKS_MUTANTS } from './reference/mutants/speaks-mutants.ts';
import { ReferenceDriver } from './reference/reference-driver.ts';
import { ReferenceServer } from './reference/reference-server.ts';

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

test.each(Object.entries({ ...SPEAKS_MUTANTS, ...FILTER_MUTANTS, ...READS_MUTANTS }))(
  '%s',
  async (_, mutant) => {
    const { fails } = mutant;
    const isWatched = fails.some((id) => CHECKS.every(({ requirements }) => !requirements.includes(id)));
    const found = await brokenBy(mutant, isWhole ? {} : { only: [...fails, ...(isWatched ? ALWAYS : [])] });
    expect(found.toSorted()).toEqual(mutant.fails.toSorted());
  },
);

test.each(Object.entries(CHANGING_MUTANTS))('%s', async (_, mutant) => {
  const found = await brokenBy(mutant, { only: ['reads.pages.while-changing'] }, true);
  expect(found.toSorted()).toEqual(mutant.fails.toSorted());
});

test.each(Object.entries(DOCUMENT_MUTANTS))('%s', async (_, mutant) => {
  const found = await brokenBy(mutant, { only: ['speaks.discovery.document'] });
  expect(found.toSorted()).toEqual(mutant.fails.toSorted());
});

/** What no mutant of this server can break, and why. */
const WITHOUT_MUTANT: Readonly<Record<string, string>> = {
  'auth.oauth.scheme': 'the reference offers shared tokens alone',
  'auth.oauth.verified': 'the reference offers shared tokens alone',
  'decided.outside.problems': 'Node refuses the request before a mutant could',
  'decided.outside.statuses': 'Node refuses the request before a mutant could',
  'auth.token.scheme': 'nothing could be read without it',
  'discovery.oauth-metadata': 'the reference offers shared tokens alone',
  'discovery.rule.permission_name_kept': 'of release 2026-08-12',
  'release.errors.absent': 'of release 2026-08-12',
  'err.http.older-release': 'of release 2026-08-12',
  'discovery.schemas.own-place': 'the schema would be read from the specification',
  'discovery.schemas.closed.dynamic-references': 'the schemas of the reference have none',
};

test('every requirement that Speaks and Reads judge is broken by a mutant, or cannot be', () => {
  const isMeant = ({ level }: Pick<Check, 'level'>) => level === 'speaks' || level === 'reads';
  const judged = new Set([...CHECKS, ...WATCHES].filter(isMeant).flatMap(({ requirements }) => requirements));
  const mutants = [DOCUMENT_MUTANTS, SPEAKS_MUTANTS, FILTER_MUTANTS, READS_MUTANTS, CHANGING_MUTANTS].flatMap(
    (table) => Object.values(table),
  );
  const broken = new Set(mutants.flatMap(({ fails }) => fails));
  expect([...judged].filter((id) => !broken.has(id)).toSorted()).toEqual(
    Object.keys(WITHOUT_MUTANT).toSorted(),
  );
  const known: ReadonlyMap<string, Requirement> = readRequirements('2026-08-13');
  expect([...broken].filter((id) => !known.has(id))).toEqual([]);
});
