import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { loopbackCertificate } from '../../src/client/scene/certificate.ts';
import type { Target } from '../../src/run/target.ts';
import { GRANTS, POOR_GRANTS } from './gateway-config.ts';

/** Issues access tokens (RFC 9068) for one API, and tells the key that they are signed with. */
export interface AuthorizationServer extends AsyncDisposable {
  readonly metadataUrl: string;
  readonly audience: string;
  /** PEM of its certificate. */
  readonly ca: string;
  readonly issue: (subject: string, permissions: readonly string[]) => string;
}

const KEY_ID = 'signing';
const LIFE_S = 3_600;

/** Starts an authorization server on loopback, with a certificate of its own, which this process trusts until the end. */
export async function startAuthorizationServer(): Promise<AuthorizationServer> {
  const { key, cert } = await loopbackCertificate('authorization server');
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const server = createServer({ key, cert }).listen(0, 'localhost');
  await once(server, 'listening');
  const issuer = `https://localhost:${(server.address() as AddressInfo).port}`;
  const metadataPath = '/.well-known/oauth-authorization-server';
  const documents: Readonly<Record<string, object>> = {
    [metadataPath]: { issuer, jwks_uri: `${issuer}/keys`, response_types_supported: ['code'] },
    '/keys': {
      keys: [{ ...publicKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig', kid: KEY_ID }],
    },
  };
  server.on('request', (request, response) => {
    const document = documents[request.url ?? ''];
    response.writeHead(document === undefined ? 404 : 200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(document ?? {}));
  });
  const trusted = getCACertificates('default');
  setDefaultCACertificates([...trusted, cert]);
  const audience = 'observatory';
  return {
    metadataUrl: `${issuer}${metadataPath}`,
    audience,
    ca: cert,
    issue(subject, permissions) {
      const nowS = Math.floor(Date.now() / 1_000);
      const head = { alg: 'ES256', typ: 'at+jwt', kid: KEY_ID };
      const claims = {
        iss: issuer,
        aud: audience,
        sub: subject,
        client_id: 'kit',
        jti: `${subject}-${nowS}`,
        iat: nowS,
        exp: nowS + LIFE_S,
        scope: permissions.join(' '),
      };
      const text = [head, claims]
        .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
        .join('.');
      const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' });
      return `${text}.${signature.toString('base64url')}`;
    },
    async [Symbol.asyncDispose]() {
      setDefaultCACertificates(trusted);
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A target that takes access tokens, without the driver: it makes shared tokens. */
export const withAccessTokens = (target: Target, { ca, issue }: AuthorizationServer): Target => ({
  ...target,
  driver: undefined,
  method: 'oauth2',
  ca: `${target.ca}\n${ca}`,
  token: issue('main', GRANTS),
  secondToken: issue('second', GRANTS),
  poorToken: issue('poor', POOR_GRANTS),
});
