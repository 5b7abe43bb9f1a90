import { KitError } from '../base/kit-error.ts';
import type { Level } from '../check/level.ts';
import { CHECKS, WATCHES } from '../checks/checks.ts';
import { runWith, selectChecks } from '../run/run-with.ts';
import { checkTarget, type Target } from '../run/target.ts';
import type { Verdict } from '../run/verdict.ts';

/** A check for a test runner: `test(check.name, check.run)`. */
export interface TargetCheck {
  /** Unique, dotted. */
  readonly name: string;
  /** The level that it belongs to. */
  readonly level: Level;
  /**
   * Checks the target. It resolves with the verdicts; if something is missing, such as a token, all of them are `skip`.
   * @throws KitError `requirement_broken` if a must is broken; the message lists each
   */
  readonly run: () => Promise<readonly Verdict[]>;
}

/**
 * The checks of a target for any test runner: `for (const check of checks(target)) test(check.name, check.run)`. Each
 * reads the discovery document itself, so they can run alone and in any order.
 * @throws KitError `usage` without a URL
 */
export function checks(target: Target): TargetCheck[] {
  checkTarget(target);
  return selectChecks(CHECKS, target).map((check) => ({
    name: check.name,
    level: check.level,
    run: async () => {
      const run = await runWith({ checks: [check], watches: WATCHES }, { ...target, only: undefined });
      const verdicts = run.verdicts.filter(
        ({ requirement, judgedBy }) => judgedBy.length > 0 || check.requirements.includes(requirement.id),
      );
      const broken = verdicts.filter(({ status }) => status === 'fail' || status === 'error');
      if (broken.length > 0) throw new KitError('requirement_broken', broken.map(sentence).join('\n'));
      return verdicts;
    },
  }));
}

function sentence({ requirement, failures, reason }: Verdict): string {
  const said = failures.map(({ expected, got }) => `wanted: ${expected} got: ${got}`);
  return `${requirement.id}: ${requirement.text} ${[...said, reason ?? ''].join(' ')}`.trimEnd();
}
