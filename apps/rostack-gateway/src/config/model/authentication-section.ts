import { z } from 'zod';
import { secret } from './secret.ts';
import { flag, text, url, value } from './values.ts';

/** RFC 8414 section 3, and OpenID Connect Discovery. */
const TELLS_ISSUER =
  /^[a-z]+:\/\/[^/]+\/\.well-known\/oauth-authorization-server|\/\.well-known\/openid-configuration$/;

const introspection = z.strictObject({
  client_id: text('What this API is called at the authorization server.', 'the client id of this API'),
  client_secret: secret('The secret of this client.'),
});

const cohortClaim = text(
  'Claim that names a cohort: all credentials of one cohort are one principal. Absent, or no text: each subject is one.',
  'the name of a claim, such as cohort',
).optional();

const oauth2 = z
  .strictObject({
    metadata_url: url(
      ['https:', 'http:'],
      "The authorization server's metadata (RFC 8414); http only on loopback.",
      'https://login.example/.well-known/oauth-authorization-server',
    ).refine(
      (value) => value.startsWith('https:') || /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])[:/]/.test(value),
      'is plain http; write an https URL (http only on loopback)',
    ),
    audience: text(
      'What an access token\'s "aud" must hold.',
      'the identifier of this API at the authorization server',
    ),
    issuer: text('The issuer, where it does not follow from metadata_url.', "the issuer's URL").optional(),
    scope_claim: text('Claim that holds the scopes.', 'the name of a claim').default('scope'),
    cohort_claim: cohortClaim,
    token_type: value(z.union([z.string().min(1), z.literal(false)]), {
      description: 'The "typ" that a token carries; false for any.',
      write: 'a token type such as at+jwt, or false for any',
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
    oauth2: section.oauth2,
    furtherOauth2: section.further_oauth2,
    discoveryPublic: section.discovery_public,
  }));
