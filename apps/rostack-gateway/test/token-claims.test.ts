import { serveSigningIssuer } from 'test-support/signing-issuer';
import { expect, test } from 'vitest';
import { createLogger } from '../src/observe/logger.ts';
import { adminGateway } from './support/admin-gateway.ts';
import { get } from './support/get.ts';
import { caOf, Lines } from './support/observed.ts';

const AUDIENCE = 'https://data.example';

test('tokens hold scopes where the configuration says, and the log names the claim that is missing', async () => {
  await using issuer = await serveSigningIssuer(AUDIENCE);
  const destination = new Lines();
  await using running = await adminGateway({
    dependencies: { logger: createLogger({ level: 'info', format: 'json', destination, secrets: [] }) },
    sections: `authentication:
  oauth2:
    metadata_url: ${issuer.url}/.well-known/openid-configuration
    audience: ${AUDIENCE}
    scope_claim: [scp, /realm_access/roles]
    token_type: JWT
    clock_leeway: 2m
`,
  });
  const { gateway } = running;
  const list = async (claims: object) => {
    const token = await issuer.sign(claims, { typ: 'JWT' });
    const headers = { Authorization: `Bearer ${token}` };
    return (await get(`${gateway.url}/api/stations`, { ca: caOf(gateway), headers })).status;
  };
  const longAgoS = Math.floor(Date.now() / 1_000) - 100;
  expect(await list({ scp: ['stations:read'] })).toBe(200);
  expect(await list({ realm_access: { roles: ['offline_access', 'stations:read'] }, exp: longAgoS })).toBe(
    200,
  );
  expect(await list({ scope: 'stations:read', realm_access: {} })).toBe(403);
  expect(await list({ scope: 'stations:read', jti: 'another' })).toBe(403);
  expect(await list({ scp: ['stations:read'], sub: undefined })).toBe(401);
  const told = destination.objects
    .map(({ msg }) => String(msg))
    .filter((msg) => msg.includes('none of the claims'));
  expect(told).toEqual([expect.stringContaining('scp, /realm_access/roles')]);
  expect(destination.objects.filter(({ msg }) => msg === 'request').at(-1)).toMatchObject({
    status: 401,
    refusal: 'malformed',
    refusalDetail: 'claim sub is missing',
  });
});

test.each([
  ['[]', 'scope_claim'],
  ['/realm~access', 'scope_claim'],
])('a claim that cannot be is refused with what to write: %s', async (claims, place) => {
  const sections = `authentication: { oauth2: { metadata_url: https://as.example/.well-known/openid-configuration, audience: a, scope_claim: ${claims} } }`;
  await expect(adminGateway({ sections })).rejects.toThrow(new RegExp(`${place}.*JSON Pointer`, 's'));
});
