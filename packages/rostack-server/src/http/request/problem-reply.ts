import {
  carriesRetryAfter,
  createProblem,
  isSourceUnavailable,
  PROBLEM_MEDIA_TYPE,
  type Problem,
  type ProblemSlug,
} from 'rostack-core';
import { HttpProblem } from '../problem/http-problem.ts';
import type { Reply } from './exchange.ts';

/** Errors of rostack-core's parsers, by `code`: their messages only describe the client's own input. */
const SLUG_BY_CODE: ReadonlyMap<
  unknown,
  Exclude<ProblemSlug, 'rate-limited' | 'service-unavailable'>
> = new Map([
  ['invalid_filter', 'invalid-filter'],
  ['unsupported_filter', 'unsupported-filter'],
  ['invalid_sort', 'invalid-sort'],
  ['invalid_fields', 'invalid-fields'],
] as const);

/** Turns any error into a problem (protocol section 5); unknown errors become an internal error. */
export function toHttpProblem(error: unknown, retryAfterMs: number): HttpProblem {
  if (error instanceof HttpProblem) return error;
  if (isSourceUnavailable(error)) {
    return HttpProblem.retryable(
      'service-unavailable',
      'The records cannot be read at the moment.',
      retryAfterMs,
    );
  }
  if (error instanceof Error && 'code' in error) {
    const slug = SLUG_BY_CODE.get(error.code);
    if (slug !== undefined) return HttpProblem.of(slug, asSentence(error.message));
  }
  return HttpProblem.of(
    'internal-error',
    'Something failed here; it has been reported with this request id.',
  );
}

/** The problem response (RFC 9457) to a request. */
export function problemReply(problem: HttpProblem, requestId: string): Reply & { readonly body: string } {
  const body = problemBody(problem, requestId);
  return {
    status: body.status,
    headers: { ...problem.headers, 'Content-Type': PROBLEM_MEDIA_TYPE, 'Cache-Control': 'no-store' },
    body: JSON.stringify(body),
  };
}

function problemBody({ slug, message, retryAfterMs }: HttpProblem, requestId: string): Problem {
  const members = { detail: message, request_id: requestId };
  if (!carriesRetryAfter(slug)) return createProblem(slug, members);
  return createProblem(slug, { ...members, retry_after_ms: retryAfterMs ?? 0 });
}

function asSentence(message: string): string {
  const capital = message.charAt(0).toUpperCase() + message.slice(1);
  return capital.endsWith('.') ? capital : `${capital}.`;
}
