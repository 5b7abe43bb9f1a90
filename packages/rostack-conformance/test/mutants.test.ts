import { expect, test } from 'vitest';
import type { Check } from '../src/check/check.ts';
import { CHECKS, WATCHES } from '../src/checks/checks.ts';
import { type Requirement, readRequirements } from '../src/index.ts';
import { DOCUMENT_MUTANTS } from './reference/mutants/document-mutants.ts';
import { FILTER_MUTANTS } from './reference/mutants/filter-mutants.ts';
import { CHANGING_MUTANTS, READS_MUTANTS } from './reference/mutants/reads-mutants.ts';
import { SPEAKS_MUTANTS } from './reference/mutants/speaks-mutants.ts';
import { expectFound, expectFoundInDocument, expectFoundWhileChanging } from './support/found-mutants.ts';
import { oneIn } from './support/one-in.ts';

// The night tries all of them.
test.each(oneIn(8, Object.entries(SPEAKS_MUTANTS)))('%s', async (_, mutant) => {
  await expectFound(mutant);
});

test.each(oneIn(8, Object.entries(FILTER_MUTANTS)))('%s', async (_, mutant) => {
  await expectFound(mutant);
});

test.each(oneIn(8, Object.entries(READS_MUTANTS)))('%s', async (_, mutant) => {
  await expectFound(mutant);
});

test.each(oneIn(8, Object.entries(CHANGING_MUTANTS)))('%s', async (_, mutant) => {
  await expectFoundWhileChanging(mutant);
});

test.each(oneIn(8, Object.entries(DOCUMENT_MUTANTS)))('%s', async (_, mutant) => {
  await expectFoundInDocument(mutant);
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
