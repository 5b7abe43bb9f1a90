import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { signingIssuer } from 'test-support/signing-issuer';
import { expect, test } from 'vitest';
import { createOAuthAuthenticator } from '../src/auth/oauth/oauth-authenticator.ts';
import { createPrincipalIdDeriver } from '../src/auth/principal-id.ts';

const AUDIENCE = 'https://api.example.com/';
const ISSUER = 'https://as.example';
const METADATA_PATH = '/.well-known/openid-configuration';
const options = {
  metadataUrl: ISSUER + METADATA_PATH,
  audience: AUDIENCE,
  principalId: createPrincipalIdDeriver(new Uint8Array(32).fill(7)),
};

/** The authenticator of an issuer that answers with these documents, by path. */
const reading = (documents: Readonly<Record<string, object | undefined>>) =>
  createOAuthAuthenticator({
    ...options,
    fetch: async (url) => Response.json(documents[new URL(new Request(url).url).pathname]),
  });

test.each<[string, string, object]>([
  ['metadata of another issuer', METADATA_PATH, { issuer: 'https://other.example' }],
  ['keys that others could replace on their way', METADATA_PATH, { jwks_uri: 'http://as.example/keys' }],
  ['keys of more than 1 MiB', '/keys', { padding: 'x'.repeat(1_048_576) }],
])('%s count for nothing', async (_what, path, changed) => {
  const { documents, sign } = await signingIssuer(ISSUER, AUDIENCE);
  const token = await sign({});
  expect(await reading(documents).authenticate(token, Date.now())).toMatchObject({ kind: 'authenticated' });
  const others = { ...documents, [path]: { ...documents[path], ...changed } };
  expect(await reading(others).authenticate(token, Date.now())).toMatchObject({ kind: 'unavailable' });
});

test('keys are not looked for where a redirect leads', async () => {
  let answer: RequestListener = () => {};
  const server = createServer((request, response) => answer(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const issuer = await signingIssuer(`http://127.0.0.1:${port}`, AUDIENCE);
  answer = ({ url = '' }, response) => {
    if (url === METADATA_PATH) response.writeHead(302, { location: '/moved' }).end();
    else response.end(JSON.stringify(issuer.documents[url === '/moved' ? METADATA_PATH : url]));
  };
  const authenticator = createOAuthAuthenticator({ ...options, metadataUrl: issuer.url + METADATA_PATH });
  const result = await authenticator.authenticate(await issuer.sign({}), Date.now());
  server.close();
  server.closeAllConnections();
  expect(result).toMatchObject({ kind: 'unavailable' });
});

test('a token that names no key may be signed by any key of the issuer, and by no other', async () => {
  const pairs = await Promise.all([0, 1, 2].map(() => generateKeyPair('ES256')));
  const signed = await Promise.all(
    pairs.map(({ privateKey }) =>
      new SignJWT({ iss: ISSUER, aud: AUDIENCE, sub: 'observer' })
        .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt' })
        .setExpirationTime('1h')
        .sign(privateKey),
    ),
  );
  const keys = await Promise.all(pairs.slice(0, 2).map(({ publicKey }) => exportJWK(publicKey)));
  const authenticator = reading({
    [METADATA_PATH]: { issuer: ISSUER, jwks_uri: `${ISSUER}/keys` },
    '/keys': { keys },
  });
  const results = await Promise.all(
    signed.map(async (token) => authenticator.authenticate(token, Date.now())),
  );
  expect(results.map(({ kind }) => kind)).toEqual(['authenticated', 'authenticated', 'refused']);
});
