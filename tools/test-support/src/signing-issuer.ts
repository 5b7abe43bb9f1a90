import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CompactSign, exportJWK, generateKeyPair } from 'jose';

export interface SigningIssuer {
  readonly url: string;
  /** Its metadata and its keys, by path. */
  readonly documents: Readonly<Record<string, object>>;
  /** When its tokens expire, in ms since the epoch. */
  readonly expiresAtMs: number;
  /**
   * Signs a token with the usual claims and these; undefined leaves one out.
   * @param options `added`: JSON members that come last, as they are
   */
  readonly sign: (
    claims: object,
    options?: { readonly typ?: string; readonly added?: string },
  ) => Promise<string>;
}

/** An issuer of access tokens that signs any claims, as authorization servers of all makes do. */
export async function signingIssuer(url: string, audience: string): Promise<SigningIssuer> {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const key = { ...(await exportJWK(publicKey)), alg: 'ES256', kid: 'k' };
  const expiresAtS = Math.floor(Date.now() / 1_000) + 600;
  return {
    url,
    documents: {
      '/.well-known/openid-configuration': { issuer: url, jwks_uri: `${url}/keys` },
      '/keys': { keys: [key] },
    },
    expiresAtMs: expiresAtS * 1_000,
    sign(claims, { typ = 'at+jwt', added = '' } = {}) {
      const payload = JSON.stringify({
        iss: url,
        aud: audience,
        sub: 'observer',
        exp: expiresAtS,
        ...claims,
      });
      const text = added === '' ? payload : `${payload.slice(0, -1)},${added}}`;
      return new CompactSign(new TextEncoder().encode(text))
        .setProtectedHeader({ alg: 'ES256', kid: 'k', typ })
        .sign(privateKey);
    },
  };
}

/** The same on loopback. */
export async function serveSigningIssuer(audience: string): Promise<SigningIssuer & AsyncDisposable> {
  let documents: SigningIssuer['documents'] = {};
  const server = createServer((request, response) => {
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify(documents[request.url ?? ''] ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = await signingIssuer(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, audience);
  documents = issuer.documents;
  return {
    ...issuer,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
