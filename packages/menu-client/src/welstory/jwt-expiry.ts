/**
 * When the token ends (`exp`, RFC 7519 section 4.1.4), milliseconds since the epoch; undefined if it does not say.
 * Nothing is verified: the token is the operator's, and only its age matters here.
 */
export function jwtExpiryMs(authorization: string): number | undefined {
  const payload = authorization.split(' ').at(-1)?.split('.')[1];
  if (payload === undefined) return undefined;
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    const exp = typeof claims === 'object' && claims !== null && 'exp' in claims ? claims.exp : undefined;
    return typeof exp === 'number' && Number.isFinite(exp) ? exp * 1000 : undefined;
  } catch {
    return undefined;
  }
}
