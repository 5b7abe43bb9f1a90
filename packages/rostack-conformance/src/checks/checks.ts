import type { Check, Watch } from '../check/check.ts';
import { followsChecks } from './follows/index.ts';
import { readsChecks } from './reads/index.ts';
import { speaksChecks, speaksWatches } from './speaks/index.ts';
import { survivesChecks } from './survives/index.ts';

/** All checks, in the order in which they run. */
export const CHECKS: readonly Check[] = [
  ...speaksChecks,
  ...readsChecks,
  ...followsChecks,
  ...survivesChecks,
];

/** The watches, which look at every answer. */
export const WATCHES: readonly Watch[] = speaksWatches;
