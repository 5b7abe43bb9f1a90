import { defineFaultsError } from '../model/fault.ts';
import type { Model } from '../model/model.ts';
import { validate } from '../model/validate.ts';
import { DEFAULT_RELEASE, type Release } from '../release/release.ts';
import { type AnyProblem, problemModel20260812, problemModel20260813 } from './problem-model.ts';
import {
  PROBLEM_TYPES,
  type Problem,
  type ProblemMembers,
  type ProblemOf,
  type ProblemSlug,
  problemTypeUri,
  type RetryAfterProblemSlug,
} from './problem-types.ts';

/** A value is not a problem object. */
export class ProblemError extends defineFaultsError(
  'ProblemError',
  'invalid_problem',
  'not a problem object',
) {}

type MembersArgument<S extends ProblemSlug> = S extends RetryAfterProblemSlug
  ? [members: ProblemMembers<S>]
  : [members?: ProblemMembers<S>];

/**
 * Builds a problem object without the members that are undefined. `retry_after_ms` is required for `rate-limited` and
 * `service-unavailable`, and not allowed for the others.
 * @throws ProblemError code `invalid_problem` when a member breaks its rule
 * @see protocol section 5, problem object
 */
export function createProblem<S extends ProblemSlug>(
  slug: S,
  ...[members]: MembersArgument<S>
): ProblemOf<S> {
  const { title, status } = PROBLEM_TYPES[slug];
  const given = Object.entries(members ?? {}).filter(([, value]) => value !== undefined);
  const fixed = { type: problemTypeUri(slug), title, status };
  const problem = parseProblem({ ...fixed, ...Object.fromEntries(given), ...fixed });
  return problem as unknown as ProblemOf<S>;
}

/**
 * Validates a problem object of release 2026-08-13, or of 2026-08-12 when `release` says so (any RFC 9457 object).
 * @throws ProblemError code `invalid_problem`, with every fault
 * @see protocol section 5, problem object
 */
export function parseProblem(
  value: unknown,
  options?: { readonly release?: '2026-08-13' | undefined },
): Problem;
/**
 * Validates a problem object of release 2026-08-12: any RFC 9457 object.
 * @throws ProblemError `invalid_problem`, with every fault
 * @see protocol section 1
 */
export function parseProblem(value: unknown, options: { readonly release: '2026-08-12' }): AnyProblem;
export function parseProblem(
  value: unknown,
  options: { readonly release?: Release | undefined } = {},
): Problem | AnyProblem {
  const release = options.release ?? DEFAULT_RELEASE;
  const model: Model<Problem | AnyProblem> =
    release === '2026-08-12' ? problemModel20260812 : problemModel20260813;
  const result = validate(model, value);
  if (!result.ok) throw new ProblemError(result.faults);
  return result.value;
}
