import type { Context } from 'hono';
import { markFinished } from './finished.ts';
import { BASE_HEADERS } from './headers.ts';

/** Why a JSON path refuses, as sent (RFC 9457). */
export interface ProblemDetails {
  readonly title: string;
  readonly status: number;
  readonly detail: string;
}

export function problem(
  c: Context,
  details: ProblemDetails,
  headers: Readonly<Record<string, string>> = {},
): Response {
  markFinished(c);
  return new Response(JSON.stringify({ type: 'about:blank', ...details }), {
    status: details.status,
    headers: {
      ...BASE_HEADERS,
      'Content-Type': 'application/problem+json',
      'Cache-Control': 'no-store',
      ...headers,
    },
  });
}
