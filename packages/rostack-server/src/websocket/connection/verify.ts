import type { RefusalReason } from '../../auth/authenticator.ts';
import { countFailure } from '../../rate-limit/count-failure.ts';
import type { Verdict } from '../session/session-input.ts';
import type { SessionEffect } from '../session/session-output.ts';
import type { GatewayContext } from './gateway-context.ts';
import { toVerdict } from './verdict.ts';

const RETRY_MS = 1_000;

/** What of a connection its verifications need. */
export interface VerifyingConnection {
  readonly address: string;
  /** Takes a place for the principal; false when it has none left. */
  readonly claim: (principalId: string) => boolean;
  /** Called when a credential was refused, with whether too many were at its address. */
  readonly refused: (reason: RefusalReason, isLimited: boolean) => void;
}

/** Has a token judged by the authenticators of its method; a refusal is counted against the address of the connection. */
export async function verify(
  { authenticators, clock, observer, rateLimiter }: GatewayContext,
  { method, token }: Extract<SessionEffect, { kind: 'verify' }>,
  { address, claim, refused }: VerifyingConnection,
): Promise<Verdict> {
  try {
    const result = await authenticators.authenticate({ method, token, address }, clock.wallMs());
    if (result.kind === 'refused') {
      const waitMs = await countFailure(rateLimiter, address, (error) =>
        observer.onAlarm?.({ kind: 'rate_limiter_fault', error }),
      );
      refused(result.reason, waitMs > 0);
      return waitMs > 0 ? { kind: 'limited', retryAfterMs: waitMs } : { kind: 'rejected' };
    }
    const verdict = toVerdict(result);
    if (verdict.kind !== 'accepted' || claim(verdict.credential.principal.id)) return verdict;
    return { kind: 'crowded', retryAfterMs: RETRY_MS };
  } catch (error) {
    observer.onAlarm?.({ kind: 'authenticator_fault', method, error });
    return { kind: 'unavailable', retryAfterMs: RETRY_MS };
  }
}
