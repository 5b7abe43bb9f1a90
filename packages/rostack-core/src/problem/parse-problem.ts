import type { z } from 'zod';
import { validate } from '../model/fault.ts';
import type { Problem } from './problem.ts';
import { ProblemError } from './problem-error.ts';
import { type AnyProblem, problemModel20260812, problemModel20260813 } from './problem-model.ts';

/**
 * Validates a problem object of release 2026-08-13, or of 2026-08-12 when `release` says so (any RFC 9457 object).
 * @throws ProblemError code `invalid_problem`, with every fault
 * @see protocol section 5, problem object
 */
export function parseProblem(
  value: unknown,
  options?: { readonly release?: '2026-08-13' | undefined },
): Problem;
export function parseProblem(value: unknown, options: { readonly release: '2026-08-12' }): AnyProblem;
export function parseProblem(
  value: unknown,
  options: { readonly release?: '2026-08-12' | '2026-08-13' | undefined } = {},
): Problem | AnyProblem {
  const model: z.ZodType<Problem | AnyProblem> =
    options.release === '2026-08-12' ? problemModel20260812 : problemModel20260813;
  const result = validate(model, value);
  if (!result.ok) throw new ProblemError(result.faults);
  return result.value;
}
