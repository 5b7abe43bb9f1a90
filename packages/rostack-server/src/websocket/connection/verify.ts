import type { AuthenticationResult, Awaitable } from '../../auth/authenticator.ts';
import { takePoint } from '../../rate-limit/rate-limiter.ts';
import type { VerificationResult } from '../session/session-input.ts';
import type { SessionEffect } from '../session/session-step.ts';
import type { GatewayContext } from './gateway-context.ts';

const RETRY_MS = 1_000;

/** What verifying a credential needs from the connection. */
export interface VerifyingConnection {
  readonly address: string;
  /** Whether it has been closed. */
  readonly isGone: () => boolean;
  /** Takes one of the principal's places; false if none is left. */
  readonly claim: (principalId: string) => Awaitable<boolean>;
  /** Called when a credential was refused; `isLimited` is whether too many were refused for its address. */
  readonly refused: (refusal: Extract<AuthenticationResult, { kind: 'refused' }>, isLimited: boolean) => void;
}

/** Verifies a token with the authenticators of its method; a refusal counts against the address of the connection. */
export async function verify(
  { authenticators, clock, hooks, rateLimiter }: GatewayContext,
  { method, token }: Extract<SessionEffect, { kind: 'verify' }>,
  { address, isGone, claim, refused }: VerifyingConnection,
): Promise<VerificationResult> {
  try {
    const result = await authenticators.authenticate({ method, token, address, isGone }, clock.wallMs());
    if (result.kind === 'refused') {
      const waitMs = await takePoint(rateLimiter, 'failure', address || undefined, (error) =>
        hooks.onAlarm?.({ kind: 'rate_limiter_fault', error }),
      );
      refused(result, waitMs > 0);
      return waitMs > 0 ? { kind: 'rate_limited', retryAfterMs: waitMs } : result;
    }
    return result.kind === 'authenticated' && !(await claim(result.credential.principal.id))
      ? { kind: 'too_many_connections', retryAfterMs: RETRY_MS }
      : result;
  } catch (error) {
    hooks.onAlarm?.({ kind: 'authenticator_fault', method, error });
    return { kind: 'unavailable', retryAfterMs: RETRY_MS };
  }
}
