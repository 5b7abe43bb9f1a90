import type { Finding } from '../check/findings.ts';
import type { Requirement } from '../report/requirements/requirement.ts';
import type { CheckResult } from './run-check.ts';

/** The possible statuses of a requirement; `error` is the kit's own fault, never the target's. */
export const STATUSES = ['pass', 'fail', 'warn', 'note', 'skip', 'error'] as const;

/** The status of a requirement. */
export type Status = (typeof STATUSES)[number];

/** A failure, with the check that found it. */
export type FoundFailure = Omit<Extract<Finding, { kind: 'fail' }>, 'kind' | 'id'> & {
  readonly check: string;
};

/** What a run says about one requirement. */
export interface Verdict {
  /** The requirement. */
  readonly requirement: Requirement;
  /** Its status. */
  readonly status: Status;
  /** Names of the checks that judged it. */
  readonly judgedBy: readonly string[];
  /** Why it is broken: at most five failures per check. */
  readonly failures: readonly FoundFailure[];
  /** What readers should know beyond the status. */
  readonly notes: readonly string[];
  /** Why it was skipped, or what went wrong. */
  readonly reason?: string | undefined;
}

/** What a failure means, by the level of its requirement; if the protocol is silent, it is a note. */
const FAILED: Readonly<Record<Requirement['level'], Status>> = { must: 'fail', should: 'warn', may: 'note' };

/** Combines what all checks say about a requirement. */
export function verdictOn(requirement: Requirement, results: readonly CheckResult[]): Verdict {
  const { id } = requirement;
  const mine = results.filter(({ check }) => check.requirements.includes(id));
  const found = mine.flatMap(({ check, findings }) =>
    findings.filter((finding) => finding.id === id).map((finding) => ({ check: check.name, finding })),
  );
  const failures = found.flatMap(({ check, finding }) => {
    if (finding.kind !== 'fail') return [];
    const { kind: _, id: __, ...failure } = finding;
    return [{ check, ...failure }];
  });
  const judgedBy = [
    ...new Set(found.filter(({ finding }) => finding.kind !== 'skip').map(({ check }) => check)),
  ];
  const notes = [...new Set(found.flatMap(({ finding }) => (finding.kind === 'note' ? [finding.text] : [])))];
  const common = { requirement, judgedBy, failures, notes };
  if (failures.length > 0) {
    return { ...common, status: requirement.silent === true ? 'note' : FAILED[requirement.level] };
  }
  const error = mine.find(({ error }) => error !== undefined)?.error;
  if (error !== undefined) return { ...common, status: 'error', reason: error.message };
  if (found.some(({ finding }) => finding.kind === 'pass')) return { ...common, status: 'pass' };
  if (notes.length > 0) return { ...common, status: 'note' };
  return {
    ...common,
    status: 'skip',
    reason: reasonOf(
      requirement,
      mine,
      found.map(({ finding }) => finding),
    ),
  };
}

function reasonOf(
  { unchecked }: Requirement,
  results: readonly CheckResult[],
  findings: readonly Finding[],
): string {
  const reasons = [
    ...results.flatMap(({ skipped }) => skipped ?? []),
    ...findings.flatMap((finding) => (finding.kind === 'skip' ? [finding.reason] : [])),
  ];
  if (reasons.length > 0) return [...new Set(reasons)].join('; ');
  if (results.length > 0) return 'no data';
  return unchecked === undefined ? 'not selected' : `not checked: ${unchecked}`;
}
