import type { AuthenticationResult } from '../../auth/authenticator.ts';
import type { Verdict } from '../session/session-input.ts';

/** What an authenticator said, as a session takes it: without the reason, which is not for the wire. */
export function toVerdict(result: AuthenticationResult): Verdict {
  switch (result.kind) {
    case 'authenticated':
      return { kind: 'accepted', credential: result.credential };
    case 'refused':
      return { kind: 'rejected' };
    default:
      return { kind: 'unavailable', retryAfterMs: result.retryAfterMs };
  }
}
