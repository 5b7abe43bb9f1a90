import type { Context } from 'hono';
import { NOT_KEPT } from './headers.ts';
import type { incompleteMembers } from './incomplete.ts';

/** Why a JSON path refuses, as sent (RFC 9457). */
export interface ProblemDetails {
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  /** Operators that could not be searched. */
  readonly incomplete?: ReturnType<typeof incompleteMembers>;
}

export function problem(
  c: Context,
  details: ProblemDetails,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(JSON.stringify({ type: 'about:blank', ...details }), {
    status: details.status,
    headers: {
      'Content-Type': 'application/problem+json',
      ...NOT_KEPT,
      ...headers,
    },
  });
}
