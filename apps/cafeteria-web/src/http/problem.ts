import type { Context } from 'hono';

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
  return new Response(JSON.stringify({ type: 'about:blank', ...details }), {
    status: details.status,
    headers: {
      'Content-Type': 'application/problem+json',
      'Cache-Control': 'no-store',
      ...headers,
    },
  });
}
