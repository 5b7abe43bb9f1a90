import type { AuthenticationMethod, AuthenticationResult } from './authenticator.ts';

/**
 * Passes on what an authenticator gave.
 * @throws TypeError when it is no result: nobody is let in, and nobody refused, by mistake
 */
export function checkAuthenticationResult(
  method: AuthenticationMethod,
  result: AuthenticationResult,
): AuthenticationResult {
  if (isResult(method, result)) return result;
  throw new TypeError(`The authenticator of ${method} gave something that is no authentication result.`);
}

function isResult(method: AuthenticationMethod, result: AuthenticationResult): boolean {
  if (typeof result !== 'object' || result === null) return false;
  switch (result.kind) {
    case 'authenticated':
      return isCredential(method, result);
    case 'refused':
      return typeof result.reason === 'string';
    case 'unavailable':
      return Number.isFinite(result.retryAfterMs) && result.retryAfterMs >= 0;
    default:
      return false;
  }
}

function isCredential(
  method: AuthenticationMethod,
  { credential }: Extract<AuthenticationResult, { kind: 'authenticated' }>,
): boolean {
  const { principal, expiresAtMs, credentialId } = Object(credential) as Partial<typeof credential>;
  return (
    typeof principal === 'object' &&
    typeof principal.id === 'string' &&
    principal.id !== '' &&
    principal.method === method &&
    typeof principal.permissions?.has === 'function' &&
    (expiresAtMs === undefined || Number.isFinite(expiresAtMs)) &&
    (credentialId === undefined || typeof credentialId === 'string')
  );
}
