import { SPEC_BASE_URL } from '../release/release.ts';

/** Every problem type, by slug: title and status always go together with it (protocol section 5). */
export const PROBLEM_TYPES = {
  'invalid-request': { slug: 'invalid-request', title: 'Invalid request', status: 400 },
  'invalid-filter': { slug: 'invalid-filter', title: 'Invalid filter', status: 400 },
  'unsupported-filter': { slug: 'unsupported-filter', title: 'Unsupported filter', status: 400 },
  'invalid-sort': { slug: 'invalid-sort', title: 'Invalid sort', status: 400 },
  'invalid-fields': { slug: 'invalid-fields', title: 'Invalid fields', status: 400 },
  'invalid-cursor': { slug: 'invalid-cursor', title: 'Invalid cursor', status: 400 },
  'authentication-required': {
    slug: 'authentication-required',
    title: 'Authentication required',
    status: 401,
  },
  'permission-denied': { slug: 'permission-denied', title: 'Permission denied', status: 403 },
  'resource-not-found': { slug: 'resource-not-found', title: 'Resource not found', status: 404 },
  'method-not-allowed': { slug: 'method-not-allowed', title: 'Method not allowed', status: 405 },
  'representation-not-acceptable': {
    slug: 'representation-not-acceptable',
    title: 'Representation not acceptable',
    status: 406,
  },
  'resource-gone': { slug: 'resource-gone', title: 'Resource gone', status: 410 },
  'rate-limited': { slug: 'rate-limited', title: 'Rate limited', status: 429 },
  'internal-error': { slug: 'internal-error', title: 'Internal error', status: 500 },
  'service-unavailable': { slug: 'service-unavailable', title: 'Service unavailable', status: 503 },
} as const;

/** A key of `PROBLEM_TYPES`. */
export type ProblemSlug = keyof typeof PROBLEM_TYPES;

/** The problem types that carry `retry_after_ms`; every other one must not. */
export const RETRY_AFTER_PROBLEMS = ['rate-limited', 'service-unavailable'] as const satisfies ProblemSlug[];

/** `rate-limited` or `service-unavailable`. */
export type RetryAfterProblemSlug = (typeof RETRY_AFTER_PROBLEMS)[number];

/** The slugs in the order of the protocol. */
export const PROBLEM_SLUGS = Object.keys(PROBLEM_TYPES) as readonly ProblemSlug[];

/** The URI that identifies a problem type. */
export type ProblemTypeUri<S extends ProblemSlug = ProblemSlug> = `${typeof SPEC_BASE_URL}/problems/${S}`;

/** Tells whether a problem of this type carries `retry_after_ms`. */
export function carriesRetryAfter(slug: ProblemSlug): slug is RetryAfterProblemSlug {
  return (RETRY_AFTER_PROBLEMS as readonly string[]).includes(slug);
}

/**
 * The `type` URI of a problem: `{specBaseUrl}/problems/{slug}`.
 * @see protocol section 5, problem types
 */
export function problemTypeUri<S extends ProblemSlug>(slug: S): ProblemTypeUri<S>;
/**
 * The `type` URI of a problem of a specification that is published elsewhere.
 * @param specBaseUrl without a slash at its end. @default SPEC_BASE_URL
 */
export function problemTypeUri(slug: ProblemSlug, specBaseUrl: string): string;
export function problemTypeUri(slug: ProblemSlug, specBaseUrl: string = SPEC_BASE_URL): string {
  return `${specBaseUrl}/problems/${slug}`;
}

const SLUG_BY_URI: ReadonlyMap<string, ProblemSlug> = new Map(
  PROBLEM_SLUGS.map((slug) => [problemTypeUri(slug), slug]),
);

/** The slug of a problem type URI of the specification; undefined for any other URI. */
export const problemSlug = (type: string): ProblemSlug | undefined => SLUG_BY_URI.get(type);

/** Media type of every problem response (RFC 9457). */
export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

type RetryAfter<S extends ProblemSlug> = S extends RetryAfterProblemSlug
  ? {
      /** Whole milliseconds, at least 0, to wait before the next attempt. */
      retry_after_ms: number;
    }
  : { retry_after_ms?: never };

interface FreeMembers {
  /** What went wrong this time, for people. Never a credential, a hidden record or field, or another principal. */
  detail?: string | undefined;
  /** A URI reference that identifies this occurrence. */
  instance?: string | undefined;
  /** Not empty; the server's log has the same id. */
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

/** What `createProblem` takes in addition to the slug. */
export type ProblemMembers<S extends ProblemSlug> = FreeMembers & RetryAfter<S>;
