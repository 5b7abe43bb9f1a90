import { z } from 'zod';
import { secret } from './secret.ts';
import { duration, flag, text, url, value } from './values.ts';

/** RFC 8414 section 3, and OpenID Connect Discovery. */
const TELLS_ISSUER =
  /^[a-z]+:\/\/[^/]+\/\.well-known\/oauth-authorization-server|\/\.well-known\/openid-configuration$/;

/** A name, or a JSON Pointer where it begins with a slash. */
const claim = z.string().regex(/^(?:[^/]|(?:\/(?:[^~]|~[01])*)+$)/);

const introspection = z.strictObject({
  client_id: text('What this API is called at the authorization server.', 'the client id of this API'),
  client_secret: secret('The secret of this client.'),
});

const cohortClaim = text(
  'Claim that names a cohort: all credentials of one cohort are one principal. Absent, or no text: each subject is one.',
  'the name of a claim, such as cohort',
).optional();

/** An authorization server. */
export const oauth2 = z
  .strictObject({
    metadata_url: url(
      ['https:'],
      "The authorization server's metadata (RFC 8414).",
      'https://login.example/.well-known/oauth-authorization-server',
    ),
    audience: text(
      'What an access token\'s "aud" must hold.',
      'the identifier of this API at the authorization server',
    ),
    issuer: text('The issuer, where it does not follow from metadata_url.', "the issuer's URL").optional(),
    scope_claim: value(z.union([claim, z.array(claim).min(1)]), {
      description:
        'Claims that hold the scopes, those of all together: names, or JSON Pointers; one, or a list.',
      write: 'the name of a claim such as scp, a JSON Pointer such as /realm_access/roles, or a list of them',
    }).default('scope'),
    clock_leeway: duration(
      '0s',
      '10m',
      'Tolerated difference between the clocks of the authorization server and here.',
      'a token is accepted for so long after it has expired',
    ).prefault('60s'),
    cohort_claim: cohortClaim,
    token_type: value(z.union([z.string().min(1), z.literal(false)]), {
      description: 'The "typ" that a token carries, such as at+jwt or JWT; false for any.',
      write: 'a token type such as at+jwt or JWT, or false for any',
    }).default('at+jwt'),
    introspection: introspection
      .optional()
      .meta({ description: 'For tokens that only the authorization server can read (RFC 7662).' }),
  })
  .refine(({ metadata_url, issuer }) => issuer !== undefined || TELLS_ISSUER.test(metadata_url), {
    path: ['metadata_url'],
    message: 'does not tell the issuer; write it in issuer',
  })
  .transform((section) => ({
    metadataUrl: section.metadata_url,
    audience: section.audience,
    issuer: section.issuer,
    scopeClaim: section.scope_claim,
    clockToleranceMs: section.clock_leeway,
    cohortClaim: section.cohort_claim,
    tokenType: section.token_type,
    introspection: section.introspection && {
      clientId: section.introspection.client_id,
      clientSecret: section.introspection.client_secret,
    },
  }));

/** How principals prove themselves (protocol section 4). */
export const authenticationSection = z
  .strictObject({
    shared_tokens: flag('Whether tokens of `rostack-gateway token create` are accepted.').default(true),
    cohort_claim: cohortClaim,
    oauth2: oauth2.optional().meta({
      description: 'Access tokens of an authorization server: JWTs, or any with `introspection`.',
    }),
    further_oauth2: z
      .array(oauth2)
      .default([])
      .meta({ description: 'Further authorization servers, each as `oauth2`.' }),
    discovery_public: flag('Whether discovery is served without credentials.').default(true),
  })
  .refine(({ shared_tokens, oauth2 }) => shared_tokens || oauth2 !== undefined, {
    path: ['shared_tokens'],
    message: 'is false and there is no oauth2, so nobody could authenticate; set it to true or write oauth2',
  })
  .transform((section) => ({
    sharedTokens: section.shared_tokens,
    cohortClaim: section.cohort_claim,
    /** The authorization servers, with their secrets read; OAuth is not accepted if there are none. */
    oauth2: [...(section.oauth2 === undefined ? [] : [section.oauth2]), ...section.further_oauth2],
    discoveryPublic: section.discovery_public,
  }));
