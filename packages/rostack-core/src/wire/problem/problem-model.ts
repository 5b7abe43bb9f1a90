import {
  anInteger,
  literal,
  type Model,
  milliseconds,
  nonEmpty,
  object,
  openObject,
  optional,
  string,
  tagged,
  type ValueOf,
} from '../model/model.ts';
import { strictUriReference, uriReference } from '../model/text.ts';
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
  return object({
    type: literal(problemTypeUri(slug)),
    title: literal(title),
    status: literal(status),
    detail: optional(string),
    instance: optional(strictUriReference),
    request_id: optional(nonEmpty),
    ...(carriesRetryAfter(slug) ? { retry_after_ms: retryAfterMs } : {}),
  });
}

/** Problem objects of release 2026-08-13: one closed shape per type. */
export const problemModel20260813 = tagged(
  'type',
  Object.fromEntries(PROBLEM_SLUGS.map((slug) => [problemTypeUri(slug), problemOf(slug)])),
) as Model as Model<Problem>;

/** Problem objects of release 2026-08-12: any object of RFC 9457. */
export const problemModel20260812 = openObject({
  type: optional(uriReference),
  title: optional(string),
  status: optional(anInteger(100, 599)),
  detail: optional(string),
  instance: optional(uriReference),
});

/** A problem object of release 2026-08-12. */
export type AnyProblem = ValueOf<typeof problemModel20260812>;
