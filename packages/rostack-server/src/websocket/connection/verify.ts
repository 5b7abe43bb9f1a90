import type { Verdict } from '../session/session-input.ts';
import type { SessionEffect } from '../session/session-output.ts';
import type { GatewayContext } from './gateway-context.ts';
import { toVerdict } from './verdict.ts';

const RETRY_MS = 1_000;

/**
 * Has a token judged by the authenticator of its method.
 * @param claim takes a place for the principal; false when it has none left
 */
export async function verify(
  { authenticators, clock, observer }: GatewayContext,
  { method, token }: Extract<SessionEffect, { kind: 'verify' }>,
  claim: (principalId: string) => boolean,
): Promise<Verdict> {
  try {
    const verdict = toVerdict(await authenticators.authenticate(method, token, clock.wallMs()));
    if (verdict.kind !== 'accepted' || claim(verdict.credential.principal.id)) return verdict;
    return { kind: 'crowded', retryAfterMs: RETRY_MS };
  } catch (error) {
    observer.onAlarm?.({ kind: 'authenticator_fault', method, error });
    return { kind: 'unavailable', retryAfterMs: RETRY_MS };
  }
}
