import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { Provider } from 'oidc-provider';

const CLIENT_ID = 'observer';
const CLIENT_SECRET = 'observer-secret';

/** A real OAuth 2.0 authorization server on loopback that issues JWT access tokens for one API. */
export interface AuthorizationServer extends AsyncDisposable {
  readonly issuer: string;
  readonly metadataUrl: string;
  /** Requests seen, by path. */
  readonly requests: Map<string, number>;
  /** Fetches an access token by the client credentials grant. */
  issueToken(scope: string, options?: { audience?: string; lifetimeSeconds?: number }): Promise<string>;
  /** Fetches an opaque access token: only the server can tell what it is. */
  issueOpaqueToken(scope: string): Promise<string>;
  /** Ends a token (RFC 7009). */
  revoke(token: string): Promise<void>;
  /** What an API authenticates with to ask about tokens. */
  readonly client: { readonly clientId: string; readonly clientSecret: string };
  /** Signs with a new key from now on; the old one disappears from the key set. */
  rotateKeys(): Promise<void>;
  /** While down, connections are cut. */
  setDown(isDown: boolean): void;
}

/** Starts the server; `audience` is the resource indicator (RFC 8707) for which it issues tokens. */
export async function startAuthorizationServer(audience: string): Promise<AuthorizationServer> {
  const requests = new Map<string, number>();
  let isDown = false;
  let handle: ReturnType<Provider['callback']> | undefined;
  const server = createServer((request, response) => {
    if (isDown || handle === undefined) {
      request.socket.destroy();
      return;
    }
    const path = request.url ?? '';
    requests.set(path, (requests.get(path) ?? 0) + 1);
    void handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let lifetime = 600;
  let format: TokenFormat = 'jwt';

  async function rotateKeys(): Promise<void> {
    const rules = () => ({ lifetimeSeconds: lifetime, format });
    handle = createProvider(issuer, await makeSigningKey(), audience, rules).callback();
  }
  await rotateKeys();

  const post = (path: string, body: Record<string, string>): Promise<Response> =>
    fetch(`${issuer}${path}`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${CLIENT_ID}:${CLIENT_SECRET}`)}` },
      body: new URLSearchParams(body),
    });
  const issueToken: AuthorizationServer['issueToken'] = async (
    scope,
    { audience: resource = audience, lifetimeSeconds = 600 } = {},
  ) => {
    lifetime = lifetimeSeconds;
    const response = await post('/token', { grant_type: 'client_credentials', scope, resource });
    const body: unknown = await response.json();
    if (!response.ok) throw new Error(`the token was not issued: ${JSON.stringify(body)}`);
    return (body as { access_token: string }).access_token;
  };

  return {
    issuer,
    metadataUrl: `${issuer}/.well-known/oauth-authorization-server`,
    requests,
    rotateKeys,
    setDown(value) {
      isDown = value;
    },
    client: { clientId: CLIENT_ID, clientSecret: CLIENT_SECRET },
    issueToken,
    async issueOpaqueToken(scope) {
      format = 'opaque';
      try {
        return await issueToken(scope);
      } finally {
        format = 'jwt';
      }
    },
    async revoke(token) {
      const { status } = await post('/token/revocation', { token });
      if (status !== 200) throw new Error(`the token was not revoked: ${status}`);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function makeSigningKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  return { ...(await exportJWK(privateKey)), alg: 'ES256', use: 'sig', kid: crypto.randomUUID() };
}

type TokenFormat = 'jwt' | 'opaque';

function createProvider(
  issuer: string,
  key: JWK,
  audience: string,
  rules: () => { readonly lifetimeSeconds: number; readonly format: TokenFormat },
): Provider {
  const { log, info, warn } = console;
  Object.assign(console, { log: () => {}, info: () => {}, warn: () => {} });
  try {
    return new Provider(issuer, {
      clients: [
        {
          client_id: CLIENT_ID,
          client_secret: CLIENT_SECRET,
          grant_types: ['client_credentials'],
          redirect_uris: [],
          response_types: [],
          id_token_signed_response_alg: 'ES256',
        },
      ],
      clientAuthMethods: ['client_secret_basic'],
      cookies: { keys: ['for the tests'] },
      discovery: { scopes_supported: undefined },
      jwks: { keys: [key] },
      ttl: { ClientCredentials: () => rules().lifetimeSeconds },
      features: {
        clientCredentials: { enabled: true },
        devInteractions: { enabled: false },
        introspection: { enabled: true },
        revocation: { enabled: true },
        resourceIndicators: {
          enabled: true,
          getResourceServerInfo: (_context, resource) => ({
            scope: 'stations:read stations:write observations:read notes:read',
            audience: resource === audience ? audience : resource,
            accessTokenFormat: rules().format,
            accessTokenTTL: rules().lifetimeSeconds,
            jwt: { sign: { alg: 'ES256' } },
          }),
        },
      },
    });
  } finally {
    Object.assign(console, { log, info, warn });
  }
}
