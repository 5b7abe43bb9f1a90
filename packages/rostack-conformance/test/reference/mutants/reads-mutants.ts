import type { Mutant } from '../mutant.ts';
import { answered, MISMATCHED, refusal, renamed } from './answers.ts';
import { ITEM_MUTANTS } from './item-mutants.ts';
import { ORDER_MUTANTS } from './order-mutants.ts';
import { PAGE_MUTANTS } from './page-mutants.ts';
import { PERMISSION_MUTANTS } from './permission-mutants.ts';
import { queried } from './sources.ts';

/** Faults that only show while records change. */
export const CHANGING_MUTANTS: Readonly<Record<string, Mutant>> = {
  'pages are of the newest records': {
    fails: ['json.page.snapshot'],
    source: queried(({ at: _at, tag: _tag, ...query }) => query),
  },
  'what is deleted was never there': {
    fails: ['decided.item.410'],
    answer: answered(['item'], (response) =>
      response.status === 410 ? refusal('resource-not-found') : response,
    ),
  },
  'what is deleted is told of as something else': {
    fails: ['err.http.type.resource-gone', ...MISMATCHED],
    answer: renamed('resource-gone', 'resource-not-found'),
  },
};

/** Faults in lists and items. */
export const READS_MUTANTS: Readonly<Record<string, Mutant>> = {
  ...PAGE_MUTANTS,
  ...ITEM_MUTANTS,
  ...ORDER_MUTANTS,
  ...PERMISSION_MUTANTS,
};
