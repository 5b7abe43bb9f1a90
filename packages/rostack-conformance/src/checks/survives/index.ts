import type { Check } from '../../check/check.ts';
import { drain } from './drain.ts';
import { expiry } from './expiry.ts';
import { histories } from './histories.ts';
import { pruning } from './pruning.ts';
import { restart } from './restart.ts';
import { revocation } from './revocation.ts';
import { stalledReader } from './stalled-reader.ts';

/** The checks that stop or restore the target come last. */
export const survivesChecks: readonly Check[] = [
  expiry,
  revocation,
  stalledReader,
  pruning,
  restart,
  drain,
  histories,
];
