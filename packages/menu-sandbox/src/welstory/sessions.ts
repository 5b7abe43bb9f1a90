import { randomBytes, randomUUID } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';

/** Whether a request's token is valid, and if not, why. */
export type TokenState = 'valid' | 'missing' | 'expired' | 'revoked' | 'other-device';

/** Issues and checks the operator's tokens. */
export interface Sessions {
  issue(deviceId: string): Promise<string>;
  check(authorization: string | undefined, deviceId: string | undefined): Promise<TokenState>;
  /** Revokes every token issued so far. */
  revokeAll(): void;
}

/** Tokens are JWTs (HS256) signed with a key of this process; they expire after `tokenTtlMs` on the given clock. */
export function createSessions(clock: () => number, tokenTtlMs: number): Sessions {
  const key = randomBytes(32);
  let generation = 0;
  return {
    async issue(deviceId) {
      const nowS = clock() / 1000;
      return new SignJWT({ deviceId, generation })
        .setProtectedHeader({ alg: 'HS256' })
        .setSubject('sandbox')
        .setJti(randomUUID())
        .setIssuedAt(Math.floor(nowS))
        .setExpirationTime(Math.floor(nowS + tokenTtlMs / 1000))
        .sign(key);
    },
    async check(authorization, deviceId) {
      if (authorization === undefined || authorization === '') return 'missing';
      try {
        const { payload } = await jwtVerify(authorization.replace(/^Bearer /i, ''), key, {
          currentDate: new Date(clock()),
        });
        if (payload.generation !== generation) return 'revoked';
        return payload.deviceId === deviceId ? 'valid' : 'other-device';
      } catch (error) {
        return error instanceof errors.JWTExpired ? 'expired' : 'revoked';
      }
    },
    revokeAll() {
      generation += 1;
    },
  };
}
