import { z } from 'zod';
import { annotate, notEmpty, uniqueArray, withoutProtoMember } from '../model/constraints.ts';
import { httpsUrl, nonEmpty } from '../model/text.ts';
import type { Release } from '../release/release.ts';

/** Names of permissions from release 2026-08-13 on, such as `stations:read`. */
export const PERMISSION_NAME_PATTERN = /^[a-z][a-z0-9-]*:[a-z][a-z0-9-]*$/u;

/** Name of the scheme of shared tokens in `Authorization` (protocol section 4). */
export const SHARED_TOKEN_SCHEME = 'Rostack-Token';

const oauth2 = z.strictObject({
  type: z.literal('oauth2'),
  /** RFC 8414 metadata. */
  authorization_server_metadata: httpsUrl,
});

const sharedToken = z.strictObject({
  type: z.literal('shared_token'),
  http_authorization_scheme: z.literal(SHARED_TOKEN_SCHEME),
  provisioning: z.literal('out_of_band'),
  description: z.string().optional(),
});

export const permissionName: Readonly<Record<Release, z.ZodString>> = {
  '2026-08-12': z.string(),
  '2026-08-13': z
    .string()
    .regex(PERMISSION_NAME_PATTERN, 'must be a permission name such as "stations:read"'),
};

const atLeastOne = (registry: object): boolean => Object.keys(registry).length > 0;
const NO_PERMISSION = 'must name at least one permission';

// `__proto__` is not a permission name in either release; Zod would silently drop it.
const registries = {
  '2026-08-12': annotate(
    withoutProtoMember(z.record(z.string(), z.string()).refine(atLeastOne, NO_PERMISSION)),
    { minProperties: 1, propertyNames: { not: { const: '__proto__' } } },
  ),
  '2026-08-13': annotate(
    withoutProtoMember(z.record(permissionName['2026-08-13'], nonEmpty).refine(atLeastOne, NO_PERMISSION)),
    { minProperties: 1 },
  ),
} satisfies Record<Release, z.ZodType>;

export const authenticationModel = (release: Release) =>
  z.strictObject({
    discovery_public: annotate(z.boolean().optional(), { default: true }),
    methods: uniqueArray(z.discriminatedUnion('type', [oauth2, sharedToken])).check(
      notEmpty('must name at least one method'),
    ),
    permissions: registries[release],
  });

/** How principals authenticate, and which permissions exist. */
export type Authentication = z.infer<ReturnType<typeof authenticationModel>>;
