import { objectWith } from '../../text/options/option-check.ts';
import { checkOptions } from '../../text/options/options-error.ts';
import { type ConformanceCheck, conformanceCheck } from '../check/conformance-check.ts';
import { ITEM_CHECKS } from './item-checks.ts';
import { LIVE_CHECKS } from './live-checks.ts';
import { LOG_CHECKS } from './log-checks.ts';
import { MODEL_CHECK } from './model-check.ts';
import { PAGE_CHECKS } from './page-checks.ts';
import type { RecordSourceCheckOptions, RecordSourceTarget } from './record-source-target.ts';
import { RETENTION_CHECKS } from './retention-checks.ts';
import { withTrial } from './source-trial.ts';

const CHECKS = [
  ...LOG_CHECKS,
  ...PAGE_CHECKS,
  ...ITEM_CHECKS,
  ...RETENTION_CHECKS,
  ...LIVE_CHECKS,
  MODEL_CHECK,
];

/**
 * The contract of `RecordSource` as checks for any test runner: `for (const check of recordSourceChecks(target))
 * test(check.name, check.run)`. Each opens a source of its own. Checks that need an ability that the target lacks are left out.
 * @throws OptionsError `invalid_options`
 * @see RecordSource
 */
export function recordSourceChecks<T>(
  target: RecordSourceTarget<T>,
  { hintTimeoutMs = 5_000, ...options }: RecordSourceCheckOptions = {},
): readonly ConformanceCheck[] {
  checkOptions(objectWith('open', 'source', 'put', 'delete'), target, 'The checks cannot be made', 'target');
  return CHECKS.filter(({ needs }) => needs === undefined || target[needs] !== undefined).map(
    ({ name, attempt }) =>
      conformanceCheck(name, options, (random) => withTrial(target, { random, hintTimeoutMs }, attempt)),
  );
}
