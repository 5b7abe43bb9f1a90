import { array, literal, nonEmpty, object, optional, type ValueOf } from '../model/model.ts';
import { httpsUrl, uri, wssUrl } from '../model/text.ts';
import { PROTOCOL_VERSION, type Release } from '../release/release.ts';
import { authenticationModel } from './authentication-model.ts';
import { capabilitiesModel } from './capabilities-model.ts';
import { errorsModel } from './errors-model.ts';
import { resourceModel } from './resource-model.ts';

const identity = { id: nonEmpty, name: nonEmpty, api_version: nonEmpty };

const common = (release: Release) => ({
  endpoints: object({ discovery: httpsUrl, json_api: httpsUrl, websocket: wssUrl }),
  authentication: authenticationModel(release),
  capabilities: capabilitiesModel,
  resources: array(resourceModel(release), { emptyFault: 'must hold at least one resource' }),
  alternate_versions: optional(array(object({ api_version: nonEmpty, discovery_url: httpsUrl }))),
});

const protocol = object({ name: literal('rostack'), version: literal(PROTOCOL_VERSION) });

/** Discovery documents of release 2026-08-13. */
export const discoveryModel20260813 = object({
  protocol,
  implementation: object({ ...identity, documentation_url: uri }),
  ...common('2026-08-13'),
  errors: errorsModel,
});

/** Discovery documents of release 2026-08-12: without `errors`. */
export const discoveryModel20260812 = object({
  protocol,
  implementation: object({ ...identity, documentation_url: optional(uri) }),
  ...common('2026-08-12'),
});

/** The discovery document of release 2026-08-13 (protocol section 2). */
export type DiscoveryDocument = ValueOf<typeof discoveryModel20260813>;

/** The discovery document of release 2026-08-12. */
export type DiscoveryDocument20260812 = ValueOf<typeof discoveryModel20260812>;

/** What the documents of both releases have. */
export type AnyDiscoveryDocument = DiscoveryDocument | DiscoveryDocument20260812;

/** The implementation, and the version of its API. */
export type Implementation = DiscoveryDocument['implementation'];
