import type { PROBLEM_TYPES, ProblemSlug, ProblemTypeUri, RetryAfterProblemSlug } from './problem-types.ts';

/** Media type of every problem response (RFC 9457). */
export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

type RetryAfter<S extends ProblemSlug> = S extends RetryAfterProblemSlug
  ? {
      /** Whole milliseconds, at least 0, until another attempt is welcome. */
      retry_after_ms: number;
    }
  : { retry_after_ms?: never };

interface FreeMembers {
  /** What went wrong this time, for people. Never a credential, a hidden record or field, or another principal. */
  detail?: string | undefined;
  /** URI reference of this occurrence. */
  instance?: string | undefined;
  /** Not empty; the same id stands in the server's log. */
  request_id?: string | undefined;
}

/** A problem of one type: `type`, `title` and `status` are fixed by the slug. */
export type ProblemOf<S extends ProblemSlug> = S extends ProblemSlug
  ? {
      type: ProblemTypeUri<S>;
      title: (typeof PROBLEM_TYPES)[S]['title'];
      status: (typeof PROBLEM_TYPES)[S]['status'];
    } & FreeMembers &
      RetryAfter<S>
  : never;

/** A problem object of release 2026-08-13: closed, one of fifteen types (protocol section 5). */
export type Problem = ProblemOf<ProblemSlug>;

/** What the caller of `createProblem` gives besides the slug. */
export type ProblemMembers<S extends ProblemSlug> = FreeMembers & RetryAfter<S>;
