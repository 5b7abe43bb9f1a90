import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { clientAddressBehind, type RateLimiter } from 'rostack-server';
import { AdminProblem } from './admin-problem.ts';

const BEARER = /^bearer +(\S+) *$/i;

/** Counts the requests that did not carry the token. */
export interface AdminFailures {
  readonly rateLimiter: RateLimiter;
  readonly onRefused: (isLimited: boolean) => void;
}

/**
 * Lets requests through that carry `Authorization: Bearer` with the token, no matter how many failed before. Failures are counted per
 * address; above the limiter's budget they are answered with 429.
 */
export function requireToken(token: string, { rateLimiter, onRefused }: AdminFailures): MiddlewareHandler {
  const expected = digest(token);
  const addressOf = clientAddressBehind(0);
  return async (c, next) => {
    // Digests are all the same length, so the comparison reveals nothing about the token, not even its length.
    const isRight = timingSafeEqual(digest(presentedToken(c) ?? ''), expected);
    if (!isRight) {
      const waitMs = await rateLimiter.consume('failure', addressOf(c) ?? '', 1);
      onRefused(waitMs > 0);
      throw waitMs > 0 ? tooManyFailures(waitMs) : unauthorized();
    }
    await next();
  };
}

function presentedToken(c: Context): string | undefined {
  return BEARER.exec(c.req.header('authorization') ?? '')?.[1];
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function unauthorized(): AdminProblem {
  return new AdminProblem('unauthorized', 'Send Authorization: Bearer with the admin token.', {
    headers: { 'WWW-Authenticate': 'Bearer realm="rostack-gateway admin"' },
  });
}

function tooManyFailures(waitMs: number): AdminProblem {
  return new AdminProblem(
    'too_many_failures',
    'Too many requests with a wrong token came from this address.',
    {
      headers: { 'Retry-After': String(Math.ceil(waitMs / 1_000)) },
    },
  );
}
