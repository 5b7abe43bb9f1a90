import { test } from 'vitest';
import { DOCUMENT_MUTANTS } from './reference/mutants/document-mutants.ts';
import { FILTER_MUTANTS } from './reference/mutants/filter-mutants.ts';
import { CHANGING_MUTANTS, READS_MUTANTS } from './reference/mutants/reads-mutants.ts';
import { SPEAKS_MUTANTS } from './reference/mutants/speaks-mutants.ts';
import { expectFound, expectFoundInDocument, expectFoundWhileChanging } from './support/found-mutants.ts';

test.each(Object.entries(SPEAKS_MUTANTS))('%s', async (_, mutant) => {
  await expectFound(mutant);
});

test.each(Object.entries(FILTER_MUTANTS))('%s', async (_, mutant) => {
  await expectFound(mutant);
});

test.each(Object.entries(READS_MUTANTS))('%s', async (_, mutant) => {
  await expectFound(mutant);
});

test.each(Object.entries(CHANGING_MUTANTS))('%s', async (_, mutant) => {
  await expectFoundWhileChanging(mutant);
});

test.each(Object.entries(DOCUMENT_MUTANTS))('%s', async (_, mutant) => {
  await expectFoundInDocument(mutant);
});
