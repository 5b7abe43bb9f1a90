import {
  boolean,
  literal,
  type Model,
  map,
  nonEmpty,
  object,
  optional,
  patternRule,
  string,
  tagged,
  uniqueArray,
  type ValueOf,
} from '../model/model.ts';
import { httpsUrl } from '../model/text.ts';
import type { Release } from '../release/release.ts';

/** Names of permissions from release 2026-08-13 on, such as `stations:read`. */
export const PERMISSION_NAME_PATTERN = /^[a-z][a-z0-9-]*:[a-z][a-z0-9-]*$/u;

/** Name of the scheme of shared tokens in `Authorization` (protocol section 4). */
export const SHARED_TOKEN_SCHEME = 'Rostack-Token';

const oauth2 = object({
  type: literal('oauth2'),
  /** RFC 8414 metadata. */
  authorization_server_metadata: httpsUrl,
});

const sharedToken = object({
  type: literal('shared_token'),
  http_authorization_scheme: literal(SHARED_TOKEN_SCHEME),
  provisioning: literal('out_of_band'),
  description: optional(string),
});

const emptyFault = 'must name at least one permission';

const registries = {
  '2026-08-12': map(string, { emptyFault }),
  '2026-08-13': map(nonEmpty, {
    name: patternRule(PERMISSION_NAME_PATTERN, 'must be a permission name such as "stations:read"'),
    emptyFault,
  }),
} satisfies Record<Release, Model>;

export const authenticationModel = (release: Release) =>
  object({
    discovery_public: optional(boolean, true),
    methods: uniqueArray(tagged('type', { oauth2, shared_token: sharedToken }), {
      emptyFault: 'must name at least one method',
    }),
    permissions: registries[release],
  });

/** How principals authenticate, and which permissions exist. */
export type Authentication = ValueOf<ReturnType<typeof authenticationModel>>;
