import type { ProblemSlug, RetryAfterProblemSlug } from 'rostack-core';

/** Header fields of a response; a list becomes one field line per value. */
export type HeaderFields = Readonly<Record<string, string | readonly string[]>>;

/** Ends the handling of a request with a problem response (protocol section 5). */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem';
  readonly slug: ProblemSlug;
  readonly retryAfterMs: number | undefined;
  readonly headers: HeaderFields;

  private constructor(
    slug: ProblemSlug,
    detail: string,
    retryAfterMs: number | undefined,
    headers: HeaderFields,
  ) {
    super(detail);
    this.slug = slug;
    this.retryAfterMs = retryAfterMs;
    this.headers = headers;
  }

  /** @param detail text for people; contains no credential and nothing hidden */
  static of(
    slug: Exclude<ProblemSlug, RetryAfterProblemSlug>,
    detail: string,
    headers: HeaderFields = {},
  ): HttpProblem {
    return new HttpProblem(slug, detail, undefined, headers);
  }

  /** A temporary problem: `Retry-After` and `retry_after_ms` say when to retry. */
  static retryable(slug: RetryAfterProblemSlug, detail: string, retryAfterMs: number): HttpProblem {
    return new HttpProblem(slug, detail, Math.ceil(retryAfterMs), {
      'Retry-After': String(Math.ceil(retryAfterMs / 1_000)),
    });
  }
}
