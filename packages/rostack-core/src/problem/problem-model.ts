import { z } from 'zod';
import { milliseconds, nonEmpty, uriReference } from '../model/text.ts';
import {
  carriesRetryAfter,
  PROBLEM_SLUGS,
  PROBLEM_TYPES,
  type Problem,
  type ProblemSlug,
  problemTypeUri,
} from './problem-types.ts';

const retryAfterMs = milliseconds(0);

function problemOf(slug: ProblemSlug) {
  const { title, status } = PROBLEM_TYPES[slug];
  return z.strictObject({
    type: z.literal(problemTypeUri(slug)),
    title: z.literal(title),
    status: z.literal(status),
    detail: z.string().optional(),
    instance: uriReference.optional(),
    request_id: nonEmpty.optional(),
    ...(carriesRetryAfter(slug) ? { retry_after_ms: retryAfterMs } : {}),
  });
}

const [first, ...rest] = PROBLEM_SLUGS.map(problemOf);

/** Problem objects of release 2026-08-13: one closed shape per type. */
export const problemModel20260813 = z.discriminatedUnion('type', [
  first ?? problemOf('internal-error'),
  ...rest,
]) as unknown as z.ZodType<Problem>;

/** Problem objects of release 2026-08-12: any object of RFC 9457. */
export const problemModel20260812 = z.looseObject({
  type: uriReference.optional(),
  title: z.string().optional(),
  status: z.int().min(100).max(599).optional(),
  detail: z.string().optional(),
  instance: uriReference.optional(),
});

/** A problem object of release 2026-08-12. */
export type AnyProblem = z.infer<typeof problemModel20260812>;
