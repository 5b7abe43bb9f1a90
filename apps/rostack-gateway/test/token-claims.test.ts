import type { Authenticator } from 'rostack-server';
import { serveSigningIssuer } from 'test-support/signing-issuer';
import { temporaryFolder } from 'test-support/temporary-folder';
import { expect, test } from 'vitest';
import { loadConfig } from '../src/config/load-config.ts';
import { logHooks } from '../src/observe/hooks.ts';
import { createLogger } from '../src/observe/log/logger.ts';
import { Repeats } from '../src/observe/log/repeats.ts';
import { configuredAuthenticators } from '../src/serving/token/authenticators.ts';
import { Lines } from './support/observed.ts';
import { writeSampleConfig } from './support/sample-config.ts';

const AUDIENCE = 'https://data.example';

/** The authenticator of access tokens that a configuration makes; discovery names only https, so the issuer is put in afterwards. */
async function configured(
  members: string,
  metadataUrl: string,
  log: (line: string) => void,
): Promise<Authenticator> {
  await using folder = await temporaryFolder();
  const file = await writeSampleConfig(folder.path, {
    sections: `authentication: { shared_tokens: false, oauth2: { metadata_url: https://as.example/.well-known/openid-configuration, audience: "${AUDIENCE}", ${members} } }`,
  });
  const { authentication, store } = await loadConfig(file, { environment: {} });
  const oauth2 = authentication.oauth2.map((server) => ({ ...server, metadataUrl }));
  const tokens = { find: async () => undefined, noteUse: async () => {} };
  const [authenticator] = configuredAuthenticators(
    { authentication: { ...authentication, oauth2 }, store },
    { tokens, principalId: () => 'me', log },
  );
  if (authenticator === undefined) throw new Error('there is no authenticator');
  return authenticator;
}

test('tokens hold scopes where the configuration says, and it is told once when they hold none', async () => {
  await using issuer = await serveSigningIssuer(AUDIENCE);
  const told: string[] = [];
  const authenticator = await configured(
    'scope_claim: [scp, /realm_access/roles], token_type: JWT, clock_leeway: 2m',
    `${issuer.url}/.well-known/openid-configuration`,
    (line) => told.push(line),
  );
  const scopes = async (claims: object) => {
    const result = await authenticator.authenticate(await issuer.sign(claims, { typ: 'JWT' }), Date.now());
    return result.kind === 'authenticated' ? [...result.credential.principal.permissions] : result;
  };
  const longAgoS = Math.floor(Date.now() / 1_000) - 100;
  expect(await scopes({ scp: ['stations:read'] })).toEqual(['stations:read']);
  expect(await scopes({ realm_access: { roles: ['offline', 'stations:read'] }, exp: longAgoS })).toEqual([
    'offline',
    'stations:read',
  ]);
  expect(told).toEqual([]);
  expect(await scopes({ scope: 'stations:read', realm_access: {} })).toEqual([]);
  expect(await scopes({ scope: 'stations:read', jti: 'another' })).toEqual([]);
  expect(told).toEqual([expect.stringContaining('scp, /realm_access/roles')]);
  expect(await scopes({ sub: undefined })).toMatchObject({ detail: 'claim sub is missing' });
});

test('the log names the claim that a refused token lacks, over HTTP and WebSocket', () => {
  const destination = new Lines();
  const logger = createLogger({ level: 'info', format: 'json', destination, secrets: [] });
  const hooks = logHooks(logger, new Repeats(logger));
  const refusalDetail = 'claim sub is missing';
  const request = { status: 401, refusal: 'malformed', refusalDetail, durationMs: 1 };
  hooks.onRequest?.(request as Parameters<NonNullable<typeof hooks.onRequest>>[0]);
  const connection = { id: 1, address: '192.0.2.1' };
  hooks.onAuthenticationFailed?.(connection, 'malformed', false, refusalDetail, undefined);
  hooks.onAuthenticationFailed?.(connection, 'expired', false, undefined, 'token-id');
  expect(destination.objects).toMatchObject([
    { msg: 'request', refusalDetail },
    { msg: 'authentication failed', refusalDetail },
    { msg: 'authentication failed', refusal: 'expired', credentialId: 'token-id' },
  ]);
});

test.each(['[]', '/realm~access'])(
  'claims that cannot be are refused with what to write: %s',
  async (claims) => {
    const making = configured(`scope_claim: ${claims}`, 'https://as.example', () => {});
    await expect(making).rejects.toThrow(/scope_claim.*JSON Pointer/s);
  },
);
