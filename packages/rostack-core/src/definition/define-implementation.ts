import { SHARED_TOKEN_SCHEME } from '../discovery/authentication-model.ts';
import type { DiscoveryDocument } from '../discovery/discovery-model.ts';
import { DiscoveryError, parseDiscovery } from '../discovery/parse-discovery.ts';
import { FILTER_OPERATOR_NAMES } from '../filter/operators.ts';
import { EVENT_ENCODINGS } from '../message/client-message.ts';
import { type Fault, FaultsError } from '../model/fault.ts';
import { DEFAULT_RELEASE, PROTOCOL_VERSION, type Release } from '../release/release.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import type { AuthorizationServer, ImplementationDeclaration, ResourceDeclaration } from './declaration.ts';
import { declarationFaults } from './declaration-model.ts';
import { declarationPath } from './declaration-path.ts';
import { defaultErrors } from './default-errors.ts';
import { defineResource } from './define-resource.ts';
import { type ImplementationUrls, implementationUrls } from './implementation-urls.ts';
import type { ImplementedResource } from './implemented-resource.ts';
import { createOwnedSchemas } from './owned-schemas.ts';

/** A declaration is invalid; the `path` of each fault is a JSON Pointer into the declaration. */
export class DefinitionError extends FaultsError {
  override readonly name = 'DefinitionError';
  readonly code = 'invalid_definition';

  constructor(faults: readonly Fault[]) {
    super('the implementation cannot be defined', faults);
  }
}

/** The document that is defined for a release: that of 2026-08-12 lacks `errors`, and nothing else. */
export type DefinedDocument<DefinedRelease extends Release> = DefinedRelease extends '2026-08-12'
  ? Omit<DiscoveryDocument, 'errors'>
  : DiscoveryDocument;

/** A valid implementation: its discovery document, the schemas to serve, and the resources as adapters use them. */
export interface ImplementationDefinition<
  ResourceName extends string = string,
  DefinedRelease extends Release = Release,
> {
  /** The document to serve at `discovery.endpoints.discovery`. */
  readonly discovery: DefinedDocument<DefinedRelease>;
  /** By URL: every schema that the document advertises, closed, with its URL as `$id`. */
  readonly schemas: ReadonlyMap<string, JsonSchema>;
  /** By name. */
  readonly resources: Readonly<Record<ResourceName, ImplementedResource>>;
}

/**
 * Turns a short declaration into a complete discovery document, with the schemas that it advertises. The rules are those
 * of release 2026-08-13, the stricter one, whichever release the document is of. URLs follow from `baseUrl`; each other default is documented at its member. Objects that a model leaves open are
 * closed, and objects that are open on purpose are rejected.
 * @throws DefinitionError code `invalid_definition`, with every mistake: a JSON Pointer into the declaration and a sentence
 * @see protocol section 2
 */
export function defineImplementation<
  const PermissionName extends string,
  const Resources extends Readonly<Record<string, ResourceDeclaration<NoInfer<PermissionName>>>>,
  const DeclaredRelease extends Release = typeof DEFAULT_RELEASE,
>(
  declaration: ImplementationDeclaration<PermissionName, Resources, DeclaredRelease>,
): ImplementationDefinition<keyof Resources & string, DeclaredRelease> {
  const shapeFaults = declarationFaults(declaration);
  if (shapeFaults.length > 0) throw new DefinitionError(shapeFaults);

  const urls = implementationUrls(declaration);
  const owned = createOwnedSchemas();
  const faults: Fault[] = [];
  const resources = Object.entries<ResourceDeclaration>(declaration.resources).map(([name, resource]) =>
    defineResource(name, resource, { urls, owned, faults }),
  );
  const document = describe(declaration, urls, resources);
  const all = [...owned.faults, ...faults, ...discoveryFaults(document, declaration)];
  if (all.length > 0) throw new DefinitionError(all);
  return {
    discovery: ofRelease(
      document,
      declaration.release ?? DEFAULT_RELEASE,
    ) as DefinedDocument<DeclaredRelease>,
    schemas: owned.schemas,
    resources: Object.fromEntries(resources.map((resource) => [resource.name, resource])) as Record<
      keyof Resources & string,
      ImplementedResource
    >,
  };
}

function ofRelease(document: DiscoveryDocument, release: Release): DefinedDocument<Release> {
  if (release === '2026-08-13') return document;
  const { errors: _, ...older } = document;
  return older;
}

function describe(
  declaration: ImplementationDeclaration,
  urls: ImplementationUrls,
  resources: readonly ImplementedResource[],
): DiscoveryDocument {
  const { limits = {}, alternateVersions } = declaration;
  const used = new Set(
    resources.flatMap(({ filtering }) => Object.values(filtering.filterable_fields).flat()),
  );
  return {
    protocol: { name: 'rostack', version: PROTOCOL_VERSION },
    implementation: {
      id: declaration.id,
      name: declaration.name,
      api_version: declaration.apiVersion,
      documentation_url: declaration.documentationUrl,
    },
    endpoints: { discovery: urls.discovery, json_api: urls.jsonApi, websocket: urls.websocket },
    authentication: authentication(declaration),
    capabilities: {
      filter_operators: FILTER_OPERATOR_NAMES.filter((operator) => used.has(operator)),
      max_page_size: limits.maxPageSize ?? 200,
      websocket: {
        event_encodings: [...(declaration.eventEncodings ?? EVENT_ENCODINGS)],
        extensions: declaration.compression === true ? ['permessage-deflate'] : [],
        authentication_timeout_ms: limits.authenticationTimeoutMs ?? 10_000,
        heartbeat_interval_ms: limits.heartbeatIntervalMs ?? 30_000,
        heartbeat_timeout_ms: limits.heartbeatTimeoutMs ?? 10_000,
        reconnect_min_delay_ms: limits.reconnectMinDelayMs ?? 500,
        reconnect_max_delay_ms: limits.reconnectMaxDelayMs ?? 30_000,
        discovery_refresh_after_ms: limits.discoveryRefreshAfterMs ?? 3_600_000,
      },
    },
    errors: declaration.errors ?? defaultErrors(declaration.authentication?.discoveryPublic ?? true),
    resources: resources.map(({ descriptor }) => descriptor),
    ...(alternateVersions === undefined
      ? {}
      : {
          alternate_versions: alternateVersions.map(({ apiVersion, discoveryUrl }) => ({
            api_version: apiVersion,
            discovery_url: discoveryUrl,
          })),
        }),
  };
}

function authentication(declaration: ImplementationDeclaration): DiscoveryDocument['authentication'] {
  const {
    sharedToken = declaration.authentication?.oauth2 === undefined,
    oauth2,
    discoveryPublic = true,
  } = declaration.authentication ?? {};
  const methods: DiscoveryDocument['authentication']['methods'] = [];
  const servers: readonly AuthorizationServer[] =
    oauth2 === undefined ? [] : 'metadataUrl' in oauth2 ? [oauth2] : oauth2;
  for (const { metadataUrl } of servers) {
    methods.push({ type: 'oauth2', authorization_server_metadata: metadataUrl });
  }
  if (sharedToken !== false) {
    const description = sharedToken === true ? undefined : sharedToken.description;
    methods.push({
      type: 'shared_token',
      http_authorization_scheme: SHARED_TOKEN_SCHEME,
      provisioning: 'out_of_band',
      ...(description === undefined ? {} : { description }),
    });
  }
  return { discovery_public: discoveryPublic, methods, permissions: { ...declaration.permissions } };
}

function discoveryFaults(
  document: DiscoveryDocument,
  declaration: ImplementationDeclaration,
): readonly Fault[] {
  try {
    parseDiscovery(document);
    return [];
  } catch (error) {
    if (!(error instanceof DiscoveryError)) throw error;
    return error.faults.map((fault) => ({ ...fault, path: declarationPath(fault.path, declaration) }));
  }
}
