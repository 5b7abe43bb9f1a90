import type { ProblemSlug } from 'rostack-core';
import { HttpProblemError } from './errors.ts';

/** Problems that a client acts on. Of those with status 400 only `invalid-cursor` is among them: asked about where nothing else is new. */
const STATUS = {
  'invalid-cursor': 400,
  'permission-denied': 403,
  'resource-not-found': 404,
  'resource-gone': 410,
} as const satisfies Partial<Record<ProblemSlug, number>>;

/** Whether a server answered with a problem. In release 2026-08-12 it may have any type: then the status decides. */
export function isProblem(error: unknown, slug: keyof typeof STATUS): error is HttpProblemError {
  if (!(error instanceof HttpProblemError)) return false;
  return error.code === 'unknown-problem' ? error.status === STATUS[slug] : error.code === slug;
}
