import { z } from 'zod';
import { read } from '../model/check.ts';
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

const NO_PERMISSION = 'must name at least one permission';

const isEmpty = (registry: object): boolean => Object.keys(registry).length === 0;

const named = annotate(
  withoutProtoMember(
    z.record(
      z.string().regex(PERMISSION_NAME_PATTERN, 'must be a permission name such as "stations:read"'),
      nonEmpty,
    ),
    (registry) => (isEmpty(registry) ? NO_PERMISSION : undefined),
  ),
  { minProperties: 1 },
);

// Zod drops a member `__proto__` without a look at it; the published schema takes it, as any other name.
const free = annotate(
  z.preprocess(
    (registry, context) => {
      if (typeof registry !== 'object' || registry === null || Array.isArray(registry)) return registry;
      if (isEmpty(registry)) context.addIssue({ code: 'custom', message: NO_PERMISSION, input: registry });
      const dropped = read(registry, '__proto__');
      if (dropped !== undefined && typeof dropped !== 'string') {
        const path = ['__proto__'];
        context.addIssue({ code: 'custom', message: 'must be of type string', input: registry, path });
      }
      return registry;
    },
    z.record(z.string(), z.string()),
  ),
  { minProperties: 1 },
);

const registries = { '2026-08-12': free, '2026-08-13': named } satisfies Record<Release, z.ZodType>;

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
